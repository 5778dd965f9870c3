import type { Message, Request } from '@varve/messages';
import type { OwnCall } from '../strategy.ts';
import type { GuardedRun } from './guarded-run.ts';
import type { RequestDigests } from './request-digests.ts';
import type { Steps } from './steps.ts';

type Event =
  | { readonly kind: 'added'; readonly message: Message }
  | { readonly kind: 'requested'; readonly digest: string; readonly nowMs: number };

/** What a strategy was given and what it answered, so that both can be compared with a second run. */
export interface Tape {
  added(message: Message): void;
  /** What the strategy sent for itself, after the reply that was added last or before the request that comes next. */
  called(calls: readonly OwnCall[]): void;
  requested(request: Request, nowMs: number): void;
  isRepeatable(): Steps<boolean>;
}

export interface TapeOptions {
  readonly now: () => number;
  readonly onCalls: (calls: readonly OwnCall[]) => void;
}

/** Creates an empty tape; `create` starts another run of the same strategy. */
export function createTape(
  digests: RequestDigests,
  create: (options: TapeOptions) => GuardedRun,
): Tape {
  const events: Event[] = [];
  const first = createListener(digests);
  return {
    added: (message) => void events.push({ kind: 'added', message }),
    called: first.called,
    requested: (request, nowMs) =>
      void events.push({ kind: 'requested', digest: first.digest(request), nowMs }),
    *isRepeatable() {
      let nowMs = 0;
      const second = createListener(digests);
      const run = create({ now: () => nowMs, onCalls: second.called });
      let isSame = true;
      for (const event of events) {
        if (event.kind === 'added') {
          yield* run.add(event.message);
          continue;
        }
        nowMs = event.nowMs;
        isSame = second.digest(yield* run.request()) === event.digest;
        if (!isSame) break;
      }
      yield* run.close();
      return isSame;
    },
  };
}

/** Names a request together with the calls before it. */
function createListener(digests: RequestDigests) {
  let heard: string[] = [];
  return {
    called(calls: readonly OwnCall[]) {
      for (const { request, outputTokens } of calls) {
        heard.push(`${digests.digest(request)} ${outputTokens}`);
      }
    },
    digest(request: Request) {
      const name = [...heard, digests.digest(request)].join();
      heard = [];
      return name;
    },
  };
}
