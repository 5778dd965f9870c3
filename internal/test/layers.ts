import {
  type Compactor,
  createCollapse,
  createCompaction,
  createSnip,
  type Summarize,
} from '@varve/compact';
import { mediaEdit } from '@varve/compact/recovery';
import {
  createProjection,
  type Edit,
  type Entry,
  type EntryBody,
  isToolResult,
  type JsonObject,
  type Message,
  MessagesError,
  type Plan,
  type PlanContext,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import { createMicrocompact } from '@varve/microcompact';
import { createNotesCompaction, createSessionMemory, memoryNotes } from '@varve/session-memory';
import { createEstimator } from '@varve/tokens';

type Collapse = ReturnType<typeof createCollapse>;

const AT = '2026-02-01T00:00:00.000Z';
const ESTIMATOR = createEstimator();

/** What may happen to a log; every layer that edits has one of its own. */
export const ACTIONS = [
  'clear',
  'collapse',
  'compact',
  'compact-without-a-model',
  'notes',
  'partial-from',
  'partial-up-to',
  'snip',
  'strip-media',
  'undo',
] as const;
export type Action = (typeof ACTIONS)[number];

/** A log with every layer that edits on it. */
export interface LayeredThread {
  readonly view: View;
  readonly entries: readonly Entry[];
  /** Appends what the projection takes, replies with true stamps; what an edit made impossible is left out. */
  feed(entry: Entry): void;
  /** Lets one layer act, or takes an edit of one back; `draw` chooses. Says whether anything was edited. */
  act(action: Action, draw: number): Promise<boolean>;
  /** Takes back what layers did and nobody took back yet, the newest first. */
  undoAll(): void;
}

export function createThread(thinking: ThinkingRule): LayeredThread {
  const projection = createProjection();
  const entries: Entry[] = [];
  const live: string[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const layers = createLayers();
  const append = (entry: Entry): void => {
    view = projection.append(entry);
    entries.push(entry);
    for (const { observe } of layers.observers) observe(entry, view);
  };
  const add = (body: EntryBody): void => append({ id: `layer-${entries.length}`, at: AT, ...body });
  const edit = (by: string, edits: readonly Edit[], receipt?: JsonObject): boolean => {
    for (const each of edits) {
      live.push(`layer-${entries.length}`);
      add({ type: 'edit', by, reason: 'test', edit: each, ...(receipt && { receipt }) });
    }
    return edits.length > 0;
  };
  const undo = (entryId: string): boolean => {
    const edit = { kind: 'undo', entryId } as const;
    if (!allowed(() => add({ type: 'edit', by: 'person', reason: 'undo', edit }))) return false;
    live.splice(live.indexOf(entryId), 1);
    return true;
  };
  const note = (data: JsonObject): void => add({ type: 'note', by: 'collapse', data });
  const thread: Acting = {
    view: () => view,
    context: () => contextFor(view, thinking),
    find: (id) => loggedMessage(entries, id),
    ...{ edit, note, layers },
  };
  return {
    entries,
    get view() {
      return view;
    },
    feed: (entry) => void allowed(() => append(stamped(entry, view))),
    async act(action, draw) {
      if (action !== 'undo') return ACTS[action](thread, draw);
      const chosen = live[draw % Math.max(1, live.length)];
      return chosen !== undefined && undo(chosen);
    },
    undoAll() {
      // one that may not go yet can when another has gone
      while (live.toReversed().filter(undo).length > 0);
    },
  };
}

/** Whether the log takes it: not what crosses an edit, or would let the view begin with a reply. */
function allowed(append: () => void): boolean {
  try {
    append();
    return true;
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
    return false;
  }
}

function stamped(entry: Entry, view: View): Entry {
  if (entry.type !== 'message' || !entry.message.response || !view.head) return entry;
  const response = { ...entry.message.response, request: createRequestStamp(view, 0) };
  return { ...entry, message: { ...entry.message, response } };
}

function loggedMessage(entries: readonly Entry[], id: string): Message | undefined {
  for (const entry of entries) {
    if (entry.type === 'message' && entry.message.id === id) return entry.message;
    if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') continue;
    const found = [...entry.edit.with, ...entry.edit.then].find((message) => message.id === id);
    if (found) return found;
  }
  return undefined;
}

function contextFor(view: View, thinking: ThinkingRule): PlanContext {
  const contextTokens = view.messages.reduce((sum, each) => sum + ESTIMATOR.message(each), 0);
  const last = view.messages.at(-1);
  const atUserTurn = !view.open && last?.role === 'user' && !last.content.some(isToolResult);
  const effectiveTokens = Math.max(1, Math.floor(contextTokens * 0.95));
  return {
    nowMs: 0,
    ...{ atUserTurn, contextTokens, thinking },
    limits: { windowTokens: 20_000, effectiveTokens, autocompactTokens: 18_000 },
    sizeOf: ESTIMATOR.message,
    cache: { warm: false, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
  };
}

const summarize: Summarize = async () => ({
  content: [{ type: 'text', text: '<summary>Work went on.</summary>' }],
  stopReason: 'end_turn',
});

function createLayers() {
  const settings = { wait: async () => {}, minSavings: 0 };
  const broken = async () => Promise.reject(new Error('There is no model here.'));
  const memory = createSessionMemory({ file: memoryNotes('notes.md'), runFork: takeNotes });
  const layers = {
    clear: createMicrocompact({
      ...{ mechanisms: ['time'], time: { whenCold: true, keepRecent: 1 }, inputTokens: 1 },
      ...{ compactableTools: ['read', 'shell'], thinking: true },
    }),
    collapse: createCollapse({
      ...{ summarize, sizeOfText: ESTIMATOR.text, keepTokens: 10, spanTokens: 60 },
      minSpanTokens: 20,
    }),
    compact: createCompaction({ ...settings, summarize }),
    broken: createCompaction({ ...settings, summarize: broken }),
    snip: createSnip({ budgetTokens: 40 }),
    notes: createNotesCompaction({ memory, tail: { minTokens: 1, maxTokens: 60 } }),
  };
  return { ...layers, memory, observers: Object.values(layers) };
}

/** Writes a line below the first guidance line of the notes. */
const takeNotes: Parameters<typeof createSessionMemory>[0]['runFork'] = async (fork) => {
  const guidance = fork.directive.split('\n').find((line) => /^_.+_$/.test(line)) ?? '';
  const input = { file_path: 'notes.md', old_string: guidance, new_string: `${guidance}\nA fact.` };
  fork.runTool({ id: 'c', name: 'Edit', input });
  return { kind: 'done' };
};

interface Acting {
  view(): View;
  context(): PlanContext;
  find(id: string): Message | undefined;
  edit(by: string, edits: readonly Edit[], receipt?: JsonObject): boolean;
  note(data: JsonObject): void;
  readonly layers: ReturnType<typeof createLayers>;
}

type Act = (thread: Acting, draw: number) => boolean | Promise<boolean>;

const ACTS: Readonly<Record<Exclude<Action, 'undo'>, Act>> = {
  clear: (thread) => planned(thread, 'microcompact', thread.layers.clear.plan(thread.context())),
  snip: (thread) => planned(thread, 'snip', thread.layers.snip.plan(thread.context())),
  collapse: async (thread) => {
    const { collapse } = thread.layers;
    await staged(thread, collapse, collapse.plan(thread.context()));
    return planned(thread, 'collapse', collapse.recover(thread.context()));
  },
  compact: (thread, draw) => compacted(thread, thread.layers.compact, draw),
  'compact-without-a-model': (thread, draw) => compacted(thread, thread.layers.broken, draw),
  'partial-from': (thread, draw) => partly(thread, 'from', draw),
  'partial-up-to': (thread, draw) => partly(thread, 'up-to', draw),
  notes: async (thread) => {
    await thread.layers.memory.extractNow();
    return planned(thread, 'notes', thread.layers.notes.planManual(thread.context()));
  },
  'strip-media': (thread) => {
    const { find } = thread;
    const { thinking } = thread.context();
    const made = thread.view().open
      ? undefined
      : mediaEdit(thread.view().messages, { find, thinking });
    return made !== undefined && thread.edit('media', [made]);
  },
};

const planned = (thread: Acting, by: string, plan: Plan<unknown>): boolean =>
  plan.kind === 'edit' && thread.edit(by, plan.edits, plan.receipt);

async function staged(
  thread: Acting,
  collapse: Collapse,
  plan: ReturnType<Collapse['plan']>,
): Promise<void> {
  if (plan.kind !== 'work') return;
  for (const data of (await collapse.run(plan.work)).notes) thread.note(data);
}

async function compacted(thread: Acting, compactor: Compactor, draw: number): Promise<boolean> {
  const plan = compactor.planNow(thread.context(), { trigger: draw % 2 === 0 ? 'auto' : 'manual' });
  const result = plan.kind === 'work' ? await compactor.run(plan.work) : undefined;
  if (result?.kind !== 'compacted') return false;
  return thread.edit('compact', [result.edit], result.receipt);
}

async function partly(thread: Acting, direction: 'from' | 'up-to', draw: number): Promise<boolean> {
  const { compact } = thread.layers;
  const { messages } = thread.view();
  const pivot = messages[draw % Math.max(1, messages.length)]?.id ?? '';
  const plan = compact.planNow(thread.context(), { trigger: 'manual', direction, pivot });
  if (plan.kind !== 'work') return false;
  const result = await compact.run(plan.work);
  if (result.kind !== 'compacted') return false;
  return thread.edit('compact', [result.edit], result.receipt);
}
