import {
  type Block,
  createProjection,
  type Edit,
  type Entry,
  isToolResult,
  isToolUse,
  type Message,
  MessagesError,
  type Plan,
  type PlanContext,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import { validLog } from '@varve/messages/testing';
import { createEstimator } from '@varve/tokens';
import fc from 'fast-check';
import type { microcompact } from '../src/index.ts';
import type { Microcompact } from '../src/planner.ts';

type ClearingReceipt = ReturnType<typeof microcompact>['receipt'];

/** Logs of `validLog` whose results and inputs are long now and then, and whose calls name files. */
export function workingLog(): fc.Arbitrary<readonly Entry[]> {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 9 });
  return fc.tuple(validLog(), sizes).map(([entries, lengths]) => grown(entries, lengths));
}

/** The same without edits and with one head: what an agent writes before any layer comes in. */
export function plainLog(): fc.Arbitrary<readonly Entry[]> {
  return workingLog().map((entries) => {
    const bodies = entries.filter(({ type }) => type === 'message' || type === 'note');
    return [HEAD, ...bodies];
  });
}

const HEAD: Entry = {
  id: 'head',
  at: '2026-01-31T11:00:00.000Z',
  type: 'head',
  head: { id: 'h', model: 'model-a', system: [], tools: [{ name: 'read' }], params: {} },
};

function grown(entries: readonly Entry[], lengths: readonly number[]): readonly Entry[] {
  let count = 0;
  const lengthOf = () => lengths[count++ % lengths.length] as number;
  const grow = (message: Message): Message => ({
    ...message,
    content: message.content.map((block) => growBlock(block, lengthOf())),
  });
  return entries.map((entry) => {
    if (entry.type === 'message') return { ...entry, message: grow(entry.message) };
    if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return entry;
    const { with: instead, then } = entry.edit;
    return { ...entry, edit: { ...entry.edit, with: instead.map(grow), then: then.map(grow) } };
  });
}

const NAMES = ['Read', 'shell', 'Edit', 'mcp__web__read', 'Task', 'grep'] as const;

function growBlock(block: Block, length: number): Block {
  if (isToolUse(block)) {
    const input = { file_path: `src/file-${length % 3}.ts`, text: 'in '.repeat(length) };
    return { ...block, name: NAMES[length % NAMES.length] as string, input };
  }
  if (!isToolResult(block)) return block;
  const more = 'line of output '.repeat(length);
  const { content } = block;
  if (content === undefined || typeof content === 'string') {
    return { ...block, content: `${content ?? ''} ${more}` };
  }
  return { ...block, content: [...content, { type: 'text', text: `${more}.` }] };
}

export const ESTIMATOR = createEstimator();

export interface ContextOptions {
  readonly thinking?: ThinkingRule;
  readonly nowMs?: number;
  readonly atUserTurn?: boolean;
  readonly warm?: boolean;
}

/** A context as an agent with a model of 200,000 tokens would give it. */
export function contextFor(view: View, options: ContextOptions = {}): PlanContext {
  const { thinking = 'free', nowMs = 0, warm = true } = options;
  const last = view.messages.at(-1);
  const spoken = last?.role === 'user' && !last.content.some(isToolResult) && !view.open;
  return {
    nowMs,
    atUserTurn: options.atUserTurn ?? spoken === true,
    contextTokens: tokensOf(view),
    limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
    sizeOf: ESTIMATOR.message,
    cache: { warm, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
    thinking,
  };
}

export function tokensOf({ messages }: Pick<View, 'messages'>): number {
  return messages.reduce((sum, { content }) => sum + contentTokens(content), 0);
}

// a message of a view is the same object in every view that shows it
const known = new WeakMap<Message['content'], number>();

function contentTokens(content: Message['content']): number {
  const tokens =
    known.get(content) ?? content.reduce((sum, each) => sum + ESTIMATOR.block(each), 0);
  known.set(content, tokens);
  return tokens;
}

/** A plan, and the view before and after its edits. */
export interface Step {
  readonly plan: Plan;
  readonly context: PlanContext;
  readonly before: View;
  readonly after: View;
  /** How many entries stood before its edits. */
  readonly entryCount: number;
  /** What the planner says about its candidates' sizes. */
  readonly receipt: ClearingReceipt | undefined;
  /** What the same planner plans right after. */
  readonly again: Plan;
}

export interface Session {
  /** Everything that was appended, the planner's edits included. */
  readonly entries: readonly Entry[];
  /** The view after each entry. */
  readonly views: readonly View[];
  /** One for each reply. */
  readonly steps: readonly Step[];
}

/** Runs a log through a planner: every reply gets a true stamp, every plan is carried out before it. */
export function runSession(
  log: readonly Entry[],
  planner: Microcompact,
  options: ContextOptions = {},
): Session {
  const projection = createProjection();
  const entries: Entry[] = [];
  const views: View[] = [];
  const steps: Step[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    entries.push(entry);
    views.push(view);
    planner.observe(entry, view);
  };
  const step = () => {
    const before = view;
    const context = contextFor(view, options);
    const plan = planner.plan(context);
    const receipt = receiptOf(plan);
    const entryCount = entries.length;
    for (const edit of editsOf(plan)) append(toEntry(edit, `p${entries.length}`));
    const again = planner.plan(context);
    steps.push({ plan, context, before, after: view, entryCount, receipt, again });
  };
  for (const entry of log) {
    if (isReply(entry) && !view.open) step();
    unlessRefused(() => append(stamped(entry, view)));
  }
  return { entries, views, steps };
}

const isReply = (entry: Entry): boolean =>
  entry.type === 'message' && entry.message.role === 'assistant';

/** What a plan says about what it clears; undefined when it clears nothing here. */
export const receiptOf = (plan: ReturnType<Microcompact['plan']>): ClearingReceipt | undefined =>
  plan.kind === 'edit' ? plan.receipt : undefined;

export const editsOf = (plan: Plan): readonly Edit[] => (plan.kind === 'edit' ? plan.edits : []);

export function toEntry(edit: Edit, id: string): Entry {
  const at = '2026-02-01T00:00:00.000Z';
  return { id, at, type: 'edit', by: 'microcompact', reason: 'test', edit };
}

function stamped(entry: Entry, view: View): Entry {
  if (entry.type !== 'message' || !entry.message.response?.request || !view.head) return entry;
  const request = createRequestStamp(view, 0);
  const response = { ...entry.message.response, request };
  return { ...entry, message: { ...entry.message, response } };
}

/** An edit of the log may no longer fit once a planner edited it too. */
function unlessRefused(append: () => void): void {
  try {
    append();
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
  }
}
