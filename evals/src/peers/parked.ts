import { type Message, type Request, toolResults } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import type { StrategyContext, StrategyRun } from '../strategy.ts';

export interface ParkedOptions extends Pick<StrategyContext, 'policy'> {
  /** Whether edits reach the calls too, or results only. */
  readonly editsCalls: boolean;
}

/**
 * The same run with cache markers before the place of its last edit and before that of the next one: the oldest result that
 * stands as it was recorded. A courtesy to strategies that do not place markers, so that what is compared is what they keep.
 */
export function createParked(run: StrategyRun, { policy, editsCalls }: ParkedOptions): StrategyRun {
  const given = new WeakSet<Message>();
  let last: Request | undefined;
  const frontierOf = ({ messages }: Request): number => {
    const at = messages.findIndex((each) => given.has(each) && toolResults(each).length > 0);
    return editsCalls && messages[at - 1]?.role === 'assistant' ? at - 1 : at;
  };
  return {
    ...run,
    add(message) {
      given.add(message);
      run.add(message);
    },
    request() {
      const request = run.request();
      const parkedAt = [changedFrom(last, request), frontierOf(request)].filter((at) => at > 0);
      last = request;
      return placeMarkers(request, { policy, parkedAt });
    },
  };
}

/** -1 where the request only goes on. */
function changedFrom(last: Request | undefined, { messages }: Request): number {
  return last?.messages.findIndex((message, at) => message !== messages[at]) ?? -1;
}
