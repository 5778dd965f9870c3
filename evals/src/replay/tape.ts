import type { Message, Request } from '@varve/messages';
import type { GuardedRun } from './guarded-run.ts';
import type { RequestDigests } from './request-digests.ts';
import type { Steps } from './steps.ts';

type Event =
  | { readonly kind: 'added'; readonly message: Message }
  | { readonly kind: 'requested'; readonly digest: string; readonly nowMs: number };

/** What a strategy was given and what it answered, so that both can be compared with a second run. */
export interface Tape {
  added(message: Message): void;
  requested(request: Request, nowMs: number): void;
  isRepeatable(): Steps<boolean>;
}

/** Creates an empty tape; `create` starts another run of the same strategy under the given clock. */
export function createTape(
  digests: RequestDigests,
  create: (now: () => number) => GuardedRun,
): Tape {
  const events: Event[] = [];
  return {
    added: (message) => void events.push({ kind: 'added', message }),
    requested: (request, nowMs) =>
      void events.push({ kind: 'requested', digest: digests.digest(request), nowMs }),
    *isRepeatable() {
      let nowMs = 0;
      const run = create(() => nowMs);
      for (const event of events) {
        if (event.kind === 'added') {
          run.add(event.message);
          continue;
        }
        nowMs = event.nowMs;
        if (digests.digest(yield* run.request()) !== event.digest) return false;
      }
      return true;
    },
  };
}
