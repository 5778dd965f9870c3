import { isToolResult, type Message, type ToolResultBlock, toolResults } from '@varve/messages';
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
  /** Tokens of a message or of one of its results. */
  readonly sizeOf: (part: Message | ToolResultBlock) => number;
  readonly headTokens: number;
  readonly rates: Rates;
  /** What fetching costs, as a multiple of its price. @default 1 */
  readonly rereadFactor?: number | undefined;
  /** Tokens of what is fetched of a result to get some of its units. @default those of the whole result */
  readonly fetchedTokens?:
    | ((result: ToolResultBlock, units: readonly number[]) => number)
    | undefined;
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
function upkeep(input: LowerBoundsInput): number {
  const { history, replies, demand, rates, rereadFactor = 1 } = input;
  const { fetchedTokens = input.sizeOf } = input;
  const holders = createHolders(demand);
  const lastNeeded = new Map<ToolResultBlock, number>();
  let dollars = 0;
  let resident = input.headTokens;
  let next = 0;
  for (const [request, reply] of replies.entries()) {
    for (; next < reply; next++) {
      const message = history[next] as Message;
      holders.add(message);
      for (const result of toolResults(message)) lastNeeded.set(result, request);
      const words = wordTokens(message, input);
      resident += words;
      dollars += words * (replies.length - 1 - request) * rates.read;
    }
    for (const [result, units] of holders.soleSources(demand.at(reply))) {
      const size = input.sizeOf(result);
      const keep = size * (request - (lastNeeded.get(result) as number)) * rates.read;
      const fetched = fetchedTokens(result, units) * rates.write;
      const fetch = fetched + resident * rates.read + RE_READ_CALL_TOKENS * rates.output;
      dollars += Math.min(keep, fetch * rereadFactor);
      lastNeeded.set(result, request);
    }
  }
  return dollars;
}

/** What of a message is no result. */
const wordTokens = (message: Message, { sizeOf }: LowerBoundsInput): number =>
  toolResults(message).reduce((left, result) => left - sizeOf(result), sizeOf(message));

/** Knows which units exactly one block shows, and that a result. */
function createHolders({ index }: SessionDemand) {
  const times = new Int32Array(index.size);
  const results = new Map<number, ToolResultBlock>();
  return {
    add(message: Message): void {
      for (const block of message.content) {
        for (const unit of index.unitsOf(block)) {
          times[unit] = (times[unit] ?? 0) + 1;
          if (isToolResult(block)) results.set(unit, block);
          else results.delete(unit);
        }
      }
    },
    /** The results that alone show some of `units`, with those. */
    soleSources(units: readonly number[]): ReadonlyMap<ToolResultBlock, readonly number[]> {
      const sources = new Map<ToolResultBlock, number[]>();
      for (const unit of units) {
        const result = times[unit] === 1 ? results.get(unit) : undefined;
        if (result) sources.set(result, [...(sources.get(result) ?? []), unit]);
      }
      return sources;
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
