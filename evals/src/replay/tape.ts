import type { Message, Request } from '@varve/messages';
import type { StrategyRun } from '../strategy.ts';
import type { RequestDigests } from './request-digests.ts';

type Event =
  | { readonly kind: 'added'; readonly message: Message }
  | { readonly kind: 'requested'; readonly digest: string; readonly nowMs: number };

/** What a strategy was given and what it answered, so that both can be compared with a second run. */
export interface Tape {
  added(message: Message): void;
  requested(request: Request, nowMs: number): void;
  isRepeatable(): boolean;
}

/** Creates an empty tape; `create` starts another run of the same strategy under the given clock. */
export function createTape(
  digests: RequestDigests,
  create: (now: () => number) => StrategyRun,
): Tape {
  const events: Event[] = [];
  return {
    added: (message) => void events.push({ kind: 'added', message }),
    requested: (request, nowMs) =>
      void events.push({ kind: 'requested', digest: digests.digest(request), nowMs }),
    isRepeatable() {
      let nowMs = 0;
      const run = create(() => nowMs);
      return events.every((event) => {
        if (event.kind === 'added') return run.add(event.message) === undefined;
        nowMs = event.nowMs;
        return digests.digest(run.request()) === event.digest;
      });
    },
  };
}
