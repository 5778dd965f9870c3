import {
  createProjection,
  type Edit,
  type Entry,
  isToolUse,
  type Message,
  type Plan,
  type PlanContext,
  toolResults,
  type View,
} from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import { BENCH_SIZES, createBenchSession, toEntries, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

type MicrocompactOptions = NonNullable<Parameters<typeof createMicrocompact>[0]>;

export const LAST_TURNS = 50;
export const ROUNDS = 15;

export const sessionOf = (turns: number) =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });

interface Running {
  readonly planner: ReturnType<typeof createMicrocompact>;
  /** The view now. */
  readonly view: () => View;
  /** Appends an entry and shows it to the planner; milliseconds of the latter. */
  readonly append: (entry: Entry) => number;
}

export interface StartOptions extends MicrocompactOptions {
  /** Another layer has sized every block already, with the estimator that all layers share. @default false */
  readonly sized?: boolean;
}

function start({ sized = false, ...options }: StartOptions): Running {
  const projection = createProjection();
  const { block: sizeOf, message: sizeAll } = createEstimator({ family: 'claude-new' });
  const planner = createMicrocompact({ ...options, sizeOf });
  let view: View = { messages: [], changedFrom: 0 };
  return {
    planner,
    view: () => view,
    append(entry) {
      view = projection.append(entry);
      if (sized && entry.type === 'message') sizeAll(entry.message);
      return millisecondsOf(() => planner.observe(entry, view));
    },
  };
}

/** Milliseconds of one of the last turns of a session whose plans are carried out; turns that clear are left out. */
export function turnCost(
  turns: number,
  options: StartOptions,
  change = (entry: Entry): Entry => entry,
): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const { planner, append } = start(options);
    const entries = toEntries(sessionOf(turns + LAST_TURNS)).map(change);
    const costs: number[] = [];
    let ms = 0;
    for (const [at, entry] of entries.entries()) {
      ms += append(entry);
      if (!endsTurn(entry)) continue;
      let plan = NONE;
      ms += millisecondsOf(() => {
        plan = planner.plan(CONTEXT);
      });
      if (plan.kind === 'edit') carryOut(plan.edits, at, append);
      else if (at > entries.length - 2 * LAST_TURNS) costs.push(ms);
      ms = 0;
    }
    return medianOf(costs);
  });
  return medianOf(rounds);
}

/** The same entry in a session whose turns all read one file. */
export function ofOneFile(entry: Entry): Entry {
  if (entry.type !== 'message') return entry;
  const content = entry.message.content.map((block) => {
    if (!isToolUse(block)) return block;
    const input = JSON.stringify(block.input).replace(/file-\d+/g, 'file-0');
    return { ...block, input: JSON.parse(input) };
  });
  return { ...entry, message: { ...entry.message, content } };
}

const endsTurn = (entry: Entry): boolean =>
  entry.type === 'message' && entry.message.role === 'user';

function carryOut(edits: readonly Edit[], at: number, append: (entry: Entry) => number): void {
  for (const [index, edit] of edits.entries()) append(toEntry(edit, `p${at}-${index}`));
}

const toEntry = (edit: Edit, id: string): Entry => ({
  id,
  at: '2026-01-02T03:04:05.000Z',
  type: 'edit',
  by: 'microcompact',
  reason: 'bench',
  edit,
});

export interface Clearing {
  readonly ms: number;
  /** Less what the new messages themselves take. */
  readonly megabytes: number;
  readonly cleared: number;
}

/** Nothing but the last so many results can be cleared, the newest 3 aside. */
function lastOnly(batch: number): MicrocompactOptions {
  const first = `src/file-${BENCH_SIZES['1M'] - batch - 3}.ts`;
  let reached = false;
  const isProtected = ({ names }: { readonly names: readonly string[] }): boolean => {
    reached ||= names.includes(first);
    return !reached;
  };
  return { preset: 'classic', count: { candidateTokens: 500 }, isProtected };
}

/** The floor at which all of the last so many results go at once, in tokens. */
function floorOf(batch: number): number {
  const { planner, append } = start(lastOnly(batch));
  for (const entry of toEntries(sessionOf(BENCH_SIZES['1M']))) append(entry);
  const { list, protectionOf } = planner.candidates;
  const free = list.filter((candidate) => !protectionOf(candidate, 3));
  return free.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Plan, projection of the edit and observe, at 1M tokens, after a plan at the end of every turn before. */
function clearingCost(batch: number, minSavingsTokens: number): Clearing {
  const { planner, append, view } = start({ ...lastOnly(batch), minSavingsTokens });
  const entries = toEntries(sessionOf(BENCH_SIZES['1M']));
  for (const entry of entries) {
    append(entry);
    if (!endsTurn(entry) || entry === entries.at(-1)) continue;
    if (planner.plan(CONTEXT).kind === 'edit') throw new Error('Something was cleared too soon.');
  }
  let cleared = 0;
  const outputBytes = bytesOf(() =>
    view()
      .messages.slice(-2 * batch)
      .map(copyResults),
  );
  const before = process.memoryUsage().heapUsed;
  const ms = millisecondsOf(() => {
    const plan = planner.plan(CONTEXT);
    if (plan.kind !== 'edit') throw new Error('Nothing was cleared.');
    for (const [index, edit] of plan.edits.entries()) append(toEntry(edit, `p${index}`));
    cleared = plan.receipt?.clearedToolUseIds.length ?? 0;
  });
  const megabytes = (process.memoryUsage().heapUsed - before - outputBytes) / 1e6;
  if (view().messages.length < BENCH_SIZES['1M']) throw new Error('Messages were lost.');
  return { ms, megabytes, cleared };
}

function bytesOf(work: () => unknown): number {
  const before = process.memoryUsage().heapUsed;
  const output = work();
  const bytes = process.memoryUsage().heapUsed - before;
  if (output === undefined) throw new Error('Nothing came out.');
  return Math.max(0, bytes);
}

/** The output of clearing every result, in the fewest objects. */
function copyResults(message: Message): Message {
  if (toolResults(message).length === 0) return message;
  return { ...message, content: message.content.map((block) => ({ ...block, content: '' })) };
}

/** Rounds in which the collector ran say nothing about memory. */
export function medianClearing(batch: number): Clearing {
  const floor = floorOf(batch);
  const rounds = Array.from({ length: ROUNDS }, () => clearingCost(batch, floor)).slice(1);
  const sizes = rounds.map(({ megabytes }) => megabytes).filter((size) => size > 0);
  return {
    ms: medianOf(rounds.map(({ ms }) => ms)),
    megabytes: medianOf(sizes),
    cleared: rounds[0]?.cleared ?? 0,
  };
}

const NONE: Plan = { kind: 'none', reason: 'bench' };

const CONTEXT: PlanContext = {
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 6),
  atUserTurn: false,
  contextTokens: 500_000,
  limits: { windowTokens: 2_000_000, effectiveTokens: 1_980_000, autocompactTokens: 1_967_000 },
  sizeOf: () => 0,
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
};
