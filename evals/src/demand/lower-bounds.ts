import { type Message, toolResults } from '@varve/messages';
import type { SessionDemand } from './session-demand.ts';

/** Dollars per token. */
export interface Rates {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

export interface LowerBoundsInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  readonly demand: SessionDemand;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  readonly headTokens: number;
  readonly rates: Rates;
}

/** Dollars below which a strategy cannot come, on the input side. */
export interface LowerBounds {
  /** Everything is written once and only the head stays. */
  readonly writeOnce: number;
  /**
   * The per-object oracle: head and everybody's words stay, each result is seen once, and for each gap until it is
   * needed again the cheaper of keeping and fetching it is paid. That editing breaks the prefix behind it is ignored.
   */
  readonly perObject: number;
}

/** Tokens of the call that fetches a result again. */
export const RE_READ_CALL_TOKENS = 100;

/** Prices both bounds from the recorded future. */
export function lowerBounds(input: LowerBoundsInput): LowerBounds {
  const { history, replies, sizeOf, headTokens, rates } = input;
  const requests = replies.length;
  if (requests === 0) return { writeOnce: 0, perObject: 0 };
  const sent = history.slice(0, replies.at(-1));
  const written = (headTokens + sum(sent.map(sizeOf))) * rates.write;
  const headRead = headTokens * (requests - 1) * rates.read;
  return { writeOnce: written + headRead, perObject: written + headRead + upkeep(input) };
}

/** Reads of what stays, and the cheaper way over each gap for what does not have to. */
function upkeep({ history, replies, demand, sizeOf, headTokens, rates }: LowerBoundsInput): number {
  const holders = createHolders(demand);
  const lastNeeded = new Map<number, number>();
  let [dollars, resident, next] = [0, headTokens, 0];
  for (const [request, reply] of replies.entries()) {
    for (; next < reply; next++) {
      const message = history[next] as Message;
      holders.add(message, next);
      if (isObject(message)) lastNeeded.set(next, request);
      else {
        resident += sizeOf(message);
        dollars += sizeOf(message) * (replies.length - 1 - request) * rates.read;
      }
    }
    for (const object of holders.soleSources(demand.at(reply))) {
      const size = sizeOf(history[object] as Message);
      const keep = size * (request - (lastNeeded.get(object) as number)) * rates.read;
      const fetch = size * rates.write + resident * rates.read + RE_READ_CALL_TOKENS * rates.output;
      dollars += Math.min(keep, fetch);
      lastNeeded.set(object, request);
    }
  }
  return dollars;
}

const isObject = (message: Message): boolean => toolResults(message).length > 0;

/** Knows which units exactly one message shows, and that a result. */
function createHolders({ index }: SessionDemand) {
  const times = new Int32Array(index.size);
  const object = new Int32Array(index.size).fill(-1);
  return {
    add(message: Message, messageIndex: number): void {
      for (const unit of index.unitsOf(message)) {
        times[unit] = (times[unit] ?? 0) + 1;
        object[unit] = isObject(message) ? messageIndex : -1;
      }
    },
    soleSources: (units: readonly number[]): ReadonlySet<number> =>
      new Set(
        units
          .filter((unit) => times[unit] === 1 && object[unit] !== -1)
          .map((unit) => object[unit] as number),
      ),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
