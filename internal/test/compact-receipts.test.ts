import {
  type CompactionOptions,
  type Compactor,
  createCollapse,
  createCompaction,
  createProviderCompaction,
  createSnip,
  createThresholdCompaction,
  type Summarize,
} from '@varve/compact';
import { mediaEdit, mediaReceipt } from '@varve/compact/recovery';
import type { Block, Edit, JsonObject, Message, Plan, Planner } from '@varve/messages';
import {
  createNotesCompaction,
  createSessionMemory,
  memoryNotes,
  type RunFork,
} from '@varve/session-memory';
import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { noWait, SUMMARY } from './compact-models.ts';
import { contextOf, sizesOf, type Thread, threadOf } from './compact-thread.ts';

const AT = '2026-02-01T00:00:00.000Z';
const HEAD = { id: 'head', model: 'claude-opus-5-5', system: [], tools: [], params: {} };
const ORIGINALS = 'session.jsonl, by message id';
const text = (value: string): Block => ({ type: 'text', text: value });

/** Eight questions with three rounds each, a picture among them, all of them answered. */
function fill(log: Thread): void {
  const say = (id: string, role: Message['role'], ...content: Block[]) =>
    log.say({ id, role, content });
  const source = { type: 'base64', media_type: 'image/png', data: 'aGlo'.repeat(500) };
  for (let turn = 0; turn < 8; turn++) {
    const seen = turn === 2 ? [{ type: 'image', source }] : [];
    say(`u${turn}`, 'user', text(`Question ${turn}: where is file ${turn}?`), ...seen);
    for (let round = 0; round < 3; round++) {
      const id = `c${turn}-${round}`;
      const input = { path: `src/file-${turn}.ts` };
      say(`a${id}`, 'assistant', { type: 'tool_use', id, name: 'read', input });
      const content = `${'line of output '.repeat(400)}${id}`;
      say(`r${id}`, 'user', { type: 'tool_result', tool_use_id: id, content });
    }
    say(`a${turn}`, 'assistant', text(`File ${turn} is in src.`));
  }
}

/** A thread that planners watch, and what each is told of it: it is over the threshold. */
function watched(...planners: readonly Pick<Planner<never>, 'observe'>[]) {
  const log = threadOf(HEAD, ...planners);
  fill(log);
  const sized = contextOf(log.view, { head: HEAD, windowTokens: 1, thinking: 'free' });
  const { contextTokens: tokens } = sized;
  const limits = {
    windowTokens: Math.round(tokens * 1.1) + 20_000,
    effectiveTokens: Math.round(tokens * 1.02),
    autocompactTokens: Math.round(tokens * 0.9),
  };
  return { log, context: { ...sized, limits } };
}

interface Made {
  readonly log: Thread;
  readonly edits: readonly Edit[];
  readonly reason: string;
  readonly receipt: JsonObject | undefined;
}

const summarize: Summarize = async () => ({ content: [text(SUMMARY)], stopReason: 'end_turn' });
const refuses: Summarize = async () => ({ content: [], stopReason: 'refusal' });

function planned(log: Thread, plan: Plan<unknown>): Made {
  if (plan.kind !== 'edit') throw new Error(plan.reason);
  const { edits, reason, receipt } = plan;
  return { log, edits, reason, receipt };
}

function workFor(options: Partial<CompactionOptions> = {}) {
  const planner: Compactor = createCompaction({
    ...{ summarize, wait: noWait, originals: ORIGINALS },
    ...options,
  });
  const { log, context } = watched(planner);
  const plan = planner.planNow(context, { trigger: 'auto' });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return { log, planner, work: plan.work };
}

async function full(options: Partial<CompactionOptions> = {}): Promise<Made> {
  const { log, planner, work } = workFor(options);
  const result = await planner.run(work);
  if (result.kind === 'failed') throw new Error(result.reason);
  const { edit, receipt } = result;
  return { log, edits: [edit], reason: receipt.reason, receipt };
}

async function partial(direction: 'from' | 'up-to'): Promise<Made> {
  const { log, planner, work } = workFor({ originals: ORIGINALS });
  const result = await planner.run({ ...work, around: { direction, pivot: 'u4' } });
  if (result.kind === 'failed') throw new Error(result.reason);
  const { edit, receipt } = result;
  return { log, edits: [edit], reason: receipt.reason, receipt };
}

const BLOCK = { type: 'compaction', content: 'What was done.', signature: 's' };

async function provider(): Promise<Made> {
  const { log, work } = workFor();
  const run = createProviderCompaction({
    provider: 'anthropic',
    originals: ORIGINALS,
    call: async () => ({ content: [BLOCK], stopReason: 'compaction' }),
  });
  const result = await run(work);
  if (result.kind === 'failed') throw new Error(result.reason);
  const { edit, receipt } = result;
  return { log, edits: [edit], reason: receipt.reason, receipt };
}

function threshold(): Made {
  const planner = createThresholdCompaction({ originals: ORIGINALS });
  const { log, context } = watched(planner);
  for (const edit of planned(log, planner.plan(context)).edits) {
    log.append({ id: 'server', at: AT, type: 'edit', by: 'provider', reason: 'server-side', edit });
  }
  log.say({ id: 'u9', role: 'user', content: [text('Go on.')] });
  log.say({ id: 'a9', role: 'assistant', content: [BLOCK, text('Went on.')] });
  return planned(log, planner.plan(context));
}

/** A note taker that finds what it may change in its directive. */
const takesNotes: RunFork = async ({ directive, runTool }) => {
  const path = /only on (\S+);/.exec(directive)?.[1] ?? '';
  const old = directive.slice(directive.indexOf('# Title')).split('\n').slice(0, 2).join('\n');
  const input = { file_path: path, old_string: old, new_string: `${old}\nWhere files are` };
  runTool({ id: 'edit', name: 'Edit', input });
  return { kind: 'done' };
};

async function notes(): Promise<Made> {
  const memory = createSessionMemory({ file: memoryNotes('notes.md'), runFork: takesNotes });
  const planner = createNotesCompaction({ memory, originals: ORIGINALS, tail: { minTokens: 500 } });
  const { log, context } = watched(planner);
  expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
  return planned(log, planner.plan(context));
}

function snip(): Made {
  const planner = createSnip({ budgetTokens: 8_000, originals: ORIGINALS });
  const { log, context } = watched(planner);
  return planned(log, planner.plan(context));
}

async function collapse(): Promise<Made> {
  const { text: sizeOfText } = createEstimator({ family: 'claude-new' });
  const sizes = { keepTokens: 1_000, spanTokens: 4_000, minSpanTokens: 1_000 };
  const planner = createCollapse({ summarize, sizeOfText, originals: ORIGINALS, ...sizes });
  const { log, context } = watched(planner);
  const plan = planner.plan(context);
  if (plan.kind !== 'work') throw new Error(plan.kind);
  const { notes: staged } = await planner.run(plan.work);
  for (const [index, data] of staged.entries()) {
    log.append({ id: `staged-${index}`, at: AT, type: 'note', by: 'collapse', data });
  }
  return planned(log, planner.plan(context));
}

function media(): Made {
  const { log, context } = watched();
  const find = (id: string) =>
    log.entries
      .flatMap((entry) => (entry.type === 'message' ? entry.message : []))
      .find((each) => each.id === id);
  const edit = mediaEdit(log.view.messages, { find, thinking: 'free' });
  if (!edit) throw new Error('there is a picture');
  const receipt = mediaReceipt(edit, { ...context, find, kept: 1, originals: ORIGINALS });
  return { log, edits: [edit], reason: 'media-stripped', receipt };
}

const KINDS: Readonly<Record<string, () => Made | Promise<Made>>> = {
  'a summary': () => full(),
  'a summary beside kept rounds': () => full({ keepTokens: 3_000 }),
  'the ledger alone': () => full({ summarize: refuses }),
  'a part from a message on': () => partial('from'),
  'a part up to a message': () => partial('up-to'),
  'the provider, on demand': provider,
  'the provider, at a threshold': threshold,
  'running notes': notes,
  snipping: snip,
  collapsing: collapse,
  'stripping media': media,
};

const tokensOf = ({ view }: Thread) =>
  view.messages.reduce((sum, message) => sum + sizesOf(HEAD)(message), 0);

describe('receipts of compaction', () => {
  test.each(Object.entries(KINDS))(
    '%s: why, sizes, what went and stayed, and where it is',
    async (_name, make) => {
      const { log, edits, reason, receipt } = await make();
      const before = { messages: log.view.messages, tokens: tokensOf(log) };
      for (const [index, edit] of edits.entries()) {
        const body = {
          type: 'edit',
          by: 'compact',
          reason,
          edit,
          ...(receipt && { receipt }),
        } as const;
        log.append({ id: `edit-${index}`, at: AT, ...body });
      }
      expect(receipt).toEqual(JSON.parse(JSON.stringify(receipt)));
      expect(receipt?.reason).toBe(reason);
      expect(reason).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expectSizes(receipt, { before: before.tokens, after: tokensOf(log) });
      expectCounts(receipt, before.messages.length);
      expect(receipt?.originals).toBe(ORIGINALS);
      for (const index of edits.keys()) undo(log, `edit-${edits.length - 1 - index}`);
      expect(log.view.messages).toEqual(before.messages);
    },
  );

  test('a summary that was repaired says what was found, and one that no model wrote why', async () => {
    const { receipt } = await full();
    expect(receipt?.repaired).toEqual({ 'missing-facts': expect.any(Number) });
    expect((await full({ summarize: refuses })).receipt).toMatchObject({ failure: 'refused' });
    const spans = ((await collapse()).receipt?.spans ?? []) as readonly JsonObject[];
    expect(spans.length).toBeGreaterThan(1);
    for (const span of spans) expect(span).toHaveProperty('repaired');
  });
});

/** By estimate: what stands around a summary or a block may take a few tokens more or less. */
function expectSizes(
  receipt: JsonObject | undefined,
  measured: { readonly before: number; readonly after: number },
): void {
  const [before, after] = [Number(receipt?.tokensBefore), Number(receipt?.tokensAfter)];
  const slack = measured.before * 0.02;
  expect(Math.abs(before - measured.before)).toBeLessThan(slack);
  expect(Math.abs(after - measured.after)).toBeLessThan(slack);
  expect(after).toBeLessThan(before);
}

function expectCounts(receipt: JsonObject | undefined, messages: number): void {
  const { droppedMessages, keptMessages, strippedBlocks } = receipt ?? {};
  if (strippedBlocks !== undefined) {
    expect(strippedBlocks).toEqual([{ messageId: 'u2', index: 1 }]);
    return;
  }
  expect(droppedMessages).toBeGreaterThan(0);
  expect(Number(droppedMessages) + Number(keptMessages)).toBe(messages);
}

function undo(log: Thread, entryId: string): void {
  const edit = { kind: 'undo', entryId } as const;
  log.append({ id: `${entryId}-undo`, at: AT, type: 'edit', by: 'person', reason: 'undo', edit });
}
