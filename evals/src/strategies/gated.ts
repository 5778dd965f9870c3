import type { Layer } from '@varve/context';
import type { Entry, PlanContext, Request, View } from '@varve/messages';
import type { OwnCall, StrategyContext, StrategyRun } from '../strategy.ts';
import { createPlannedLog, type EntryBody, type PlannedLog } from './planned-log.ts';

/** What has to be waited for before a request: it has summaries or notes written, and edits the log with them. */
export interface Gate {
  /** Takes each entry of the log and the view after it. */
  observe(entry: Entry, view: View): void;
  /** Asked before each request, once the layers have run. */
  pass(context: PlanContext): Promise<Passage>;
  /** A reply came; `sent` is the request that it answers. */
  replied?(reply: Replied): Promise<void>;
  /** What was sent for it since it was asked last, in order. */
  calls(): readonly OwnCall[];
}

export interface Passage {
  /** To be appended, in order. */
  readonly entries: readonly EntryBody[];
  /** Whether the entries put summaries in place of conversation. */
  readonly isCompaction: boolean;
  /** Whether the gate wants to look at what it left before the request is sent. */
  readonly again: boolean;
}

export interface Replied {
  readonly sent: Request;
  readonly view: View;
  /** Tokens of the context, the reply included. */
  readonly contextTokens: number;
}

/** A gate that changes nothing this time. */
export const NO_PASSAGE: Passage = { entries: [], isCompaction: false, again: false };

/** A run of layers like `createPlanned`, with gates behind them that are passed in turn. */
export function createGated(
  context: StrategyContext,
  { layers = [], gates }: { readonly layers?: readonly Layer[]; readonly gates: readonly Gate[] },
): StrategyRun {
  const onEntry = (entry: Entry, view: View): void => {
    for (const gate of gates) gate.observe(entry, view);
  };
  const log = createPlannedLog(context, { layers, onEntry });
  let sent: Request | undefined;
  return {
    add: log.add,
    async replied() {
      if (sent === undefined) return;
      const reply = { sent, ...stateOf(log, context) };
      for (const gate of gates) await gate.replied?.(reply);
    },
    async prepare() {
      log.edit();
      for (const gate of gates) await passThrough(gate, log);
    },
    request() {
      sent = log.request();
      return sent;
    },
    announced: log.announced,
    calls: () => gates.flatMap((gate) => gate.calls()),
  };
}

function stateOf(log: PlannedLog, { sizeOf }: StrategyContext) {
  const view = log.view();
  const waiting = view.open ? sizeOf(view.open.assistant) : 0;
  return { view, contextTokens: log.context().contextTokens + waiting };
}

/** Each look leaves something behind, so that a gate that never has enough is stopped. */
async function passThrough(gate: Gate, log: PlannedLog): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { entries, isCompaction, again } = await gate.pass(log.context());
    for (const body of entries) log.append(body, { isCompaction });
    if (!again) return;
  }
}

const MOST_LOOKS = 4;
