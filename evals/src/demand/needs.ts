import { type Message, toolUses } from '@varve/messages';
import type { Need, SessionDemand } from './session-demand.ts';

/** What the near future needs of what was shown before a request, with the weight of each unit there. */
export interface NeedsAt {
  readonly units: Int32Array;
  /** ln(1 + messages before / those of them that show the unit): rare units weigh more. */
  readonly weights: Float64Array;
}

/** The needs before every recorded reply of a session. */
export interface Needs {
  /** By index of the reply. */
  before(reply: number): NeedsAt;
  /** Times that a unit is needed, each once whatever number of requests it is needed behind. */
  readonly uses: number;
}

export interface NeedsInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  readonly demand: SessionDemand;
}

/**
 * Before each request what the next 24 tool calls use, or what the assistant names until then, of what was shown before the
 * request and is not shown again between it and the use. Each use is looked at once, from its place back.
 */
export function createNeeds({ history, replies, demand }: NeedsInput, kind: Need): Needs {
  const { index } = demand;
  const lastShown = new Int32Array(index.size).fill(-1);
  const showing = new Int32Array(index.size);
  const callsBefore = callCounts(history);
  const lists = replies.map(() => ({ units: [] as number[], weights: [] as number[] }));
  let [request, uses] = [-1, 0];
  for (const [at, message] of history.entries()) {
    if (replies[request + 1] === at) request++;
    for (const unit of demand.at(at, kind)) {
      uses++;
      const shown = lastShown[unit] as number;
      for (let each = request; each >= 0; each--) {
        const reply = replies[each] as number;
        const calls = (callsBefore[at] as number) - (callsBefore[reply] as number);
        if (reply <= shown || calls >= HORIZON_CALLS) break;
        const { units, weights } = lists[each] as (typeof lists)[number];
        units.push(unit);
        weights.push(Math.log(1 + reply / Math.max(1, showing[unit] as number)));
      }
    }
    for (const unit of index.unitsOf(message)) {
      lastShown[unit] = at;
      showing[unit] = (showing[unit] as number) + 1;
    }
  }
  const found = new Map(
    replies.map((reply, at) => {
      const { units, weights } = lists[at] as (typeof lists)[number];
      return [reply, { units: Int32Array.from(units), weights: Float64Array.from(weights) }];
    }),
  );
  return { before: (reply) => found.get(reply) ?? NOTHING, uses };
}

/** Tool calls before each message. */
function callCounts(history: readonly Message[]): Int32Array {
  const counts = new Int32Array(history.length + 1);
  for (const [at, message] of history.entries())
    counts[at + 1] = (counts[at] as number) + toolUses(message).length;
  return counts;
}

const NOTHING: NeedsAt = { units: new Int32Array(), weights: new Float64Array() };

/** Three quarters of natural repeats come within so many. */
const HORIZON_CALLS = 24;
