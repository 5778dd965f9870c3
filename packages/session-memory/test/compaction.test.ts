import {
  anthropicProfile,
  type Block,
  checkHistory,
  createProjection,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  parseEntry,
  project,
  serializeEntry,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactFromNotes, createNotesCompaction, memoryNotes } from '../src/index.ts';
import type { NotesCompactionOptions } from '../src/notes-compaction.ts';
import type { NotesSnapshot } from '../src/notes-snapshot.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import {
  createTestLog,
  createTestMemory,
  notesWith,
  noteTaker,
  planContext,
  type TestLog,
  words,
} from './support.ts';

const template = parseTemplate(DEFAULT_TEMPLATE);
const notes = notesWith({ '# Task': 'the task', '# Worklog': '- one' });
const textSize = (text: string): number => Math.ceil(text.length / 4);
const sizeOf = (message: { readonly content: unknown }): number =>
  Math.ceil(JSON.stringify(message.content).length / 4);

const history = Array.from({ length: 30 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: words(1_000, `m${at}`),
}));
const plain = {
  notes,
  template,
  cursorIndex: 29,
  thresholdTokens: 25_000,
  sizeOf,
  textSize,
  thinking: 'free' as const,
};

describe('compactFromNotes (N6)', () => {
  test('notes stand in place of what they cover, without a model; what is kept are the same objects', () => {
    const result = compactFromNotes(history, plain);
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const [summary, ...kept] = result.messages;
    expect(summary).toEqual({ role: 'user', content: result.summaryText });
    expect(result.summaryText).toContain('# Task\nthe task\n\n# Worklog\n- one');
    expect(result.keepFrom).toBeGreaterThan(0);
    expect(kept).toHaveLength(30 - result.keepFrom);
    for (const [at, message] of kept.entries()) expect(message).toBe(history[result.keepFrom + at]);
    expect(result.tokensAfter).toBe(textSize(result.summaryText) + total(kept));
    expect(result.tokensBefore).toBe(total(history));
  });

  test.each([
    ['no notes', { notes: undefined }, 'no-notes'],
    ['the template', { notes: DEFAULT_TEMPLATE }, 'empty-template'],
    ['no cursor', { cursorIndex: undefined }, 'cursor-not-found'],
    ['a cursor that is not there', { cursorIndex: 30 }, 'cursor-not-found'],
    ['a cursor before the first', { cursorIndex: -1 }, 'cursor-not-found'],
    ['nothing to drop', { tail: { minTokens: 99_999, maxTokens: 99_999 } }, 'still-too-large'],
    ['a tail over the threshold', { cursorIndex: 1 }, 'still-too-large'],
    ['a threshold of zero', { thresholdTokens: 0 }, 'still-too-large'],
    ['attachments over the threshold', { attachmentTokens: 25_000 }, 'still-too-large'],
    ['attachments that leave no savings', { minSavings: 0.99 }, 'not-smaller'],
    ['case 16: a large system prompt', { contextTokens: 99_999 }, 'still-too-large'],
    [
      'case 26: no gain',
      {
        notes: notesWith({ '# Task': words(1_900), '# System': words(1_900) }),
        cursorIndex: 1,
        thresholdTokens: 99_999,
      },
      'not-smaller',
    ],
  ])('%s', (_what, given, reason) => {
    expect(compactFromNotes(history, { ...plain, ...given })).toEqual({ kind: 'none', reason });
  });

  test.each([
    ['thresholdTokens', { thresholdTokens: Number.NaN }],
    ['sectionTokens', { sectionTokens: -1 }],
    ['contextTokens', { contextTokens: null }],
    ['attachmentTokens', { attachmentTokens: -5 }],
    ['tail.minTokens', { tail: { minTokens: Number.NaN } }],
    ['tail.maxTokens', { tail: { maxTokens: '9' } }],
  ])('refuses `%s` that makes no sense', (name, wrong) => {
    const options = { ...plain, ...wrong } as never;
    expect(() => compactFromNotes(history, options)).toThrow(RangeError);
    expect(() => compactFromNotes(history, options)).toThrow(`Expected \`${name}\``);
  });

  test('a threshold is no longer kept at exactly its size', () => {
    const result = compactFromNotes(history, plain);
    const tokens = result.kind === 'compacted' ? result.tokensAfter : 0;
    expect(compactFromNotes(history, { ...plain, thresholdTokens: tokens }).kind).toBe('none');
    expect(compactFromNotes(history, { ...plain, thresholdTokens: tokens + 1 }).kind).toBe(
      'compacted',
    );
  });

  test('says where the rest of cut notes and the whole conversation are', () => {
    const long = notesWith({ '# Task': words(5_000) });
    const where = { where: 'summary.md', originals: 'log.jsonl' };
    const result = compactFromNotes(history, { ...plain, notes: long, ...where });
    expect(result).toMatchObject({ kind: 'compacted', cut: ['# Task'] });
    const text = result.kind === 'compacted' ? result.summaryText : '';
    expect(text).toContain('[cut here; the full notes are in summary.md]');
    expect(text).toContain('The whole of it is in log.jsonl.');
  });

  test('case 47: notes of which nothing fits their limits do not stand in', () => {
    const result = compactFromNotes(history, { ...plain, totalTokens: 3 });
    expect(result).toEqual({ kind: 'none', reason: 'still-too-large' });
  });

  test('notes that were put out of form by hand stand in whole', () => {
    const result = compactFromNotes(history, { ...plain, notes: 'first\n# Mine\nown\n' });
    expect(result.kind === 'compacted' && result.summaryText).toMatch(/first\n\n## Mine\nown$/);
  });

  test.each([
    ['free', 'compacted'],
    ['latest-turn', 'compacted'],
    ['prefix-bound', 'none'],
  ] as const)(
    'case 45: thinking before calls that wait stays, on a %s model: %s',
    (thinking, kind) => {
      const old = [
        { type: 'thinking', thinking: 'old', signature: 's' },
        { type: 'text', text: 'yes' },
      ];
      const waits = [
        { type: 'thinking', thinking: 'new', signature: 't' },
        { type: 'tool_use', id: 'c', name: 'Bash', input: {} },
      ];
      const open = [
        ...history,
        { role: 'assistant', content: old },
        { role: 'user', content: 'go' },
        { role: 'assistant', content: waits },
      ];
      const result = compactFromNotes(open, { ...plain, cursorIndex: 30, thinking });
      expect(result.kind).toBe(kind);
      if (result.kind !== 'compacted') return;
      expect(result.messages.at(-1)).toBe(open.at(-1));
      expect(result.dropThinking).toEqual(thinking === 'free' ? [] : [30]);
    },
  );

  test('case 11: attachments of the newest request stay with it', () => {
    const content = [
      { type: 'text', text: 'look' },
      ...[1, 2, 3].map((data) => ({ type: 'image', source: { data } })),
    ];
    const open = { role: 'user', content };
    const result = compactFromNotes([...history, open], plain);
    expect(result.kind === 'compacted' && result.messages.at(-1)).toBe(open);
  });
});

const total = (messages: readonly { readonly content: unknown }[]): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

/** A thread with notes up to its last reply. */
async function covered(options: Partial<NotesCompactionOptions> = {}) {
  const { memory, events, file } = createTestMemory({
    appendNote: (note) => void log.append(note),
    runFork: noteTaker((fork) => ({ '# Task': `task ${fork.view.messages.length}` })),
  });
  const planner = createNotesCompaction({ memory, ...options });
  const log = createTestLog(planner.observe);
  for (let turn = 0; turn < 20; turn++) {
    log.user(words(2_000, `request ${turn}`));
    log.round(words(2_000, `result ${turn}`), `thought ${turn}`);
    log.reply(words(2_000, `answer ${turn}`));
  }
  await memory.extractNow();
  return { memory, planner, log, events, file };
}

describe('createNotesCompaction (N6)', () => {
  test('one edit with a receipt; the view is summary and tail', async () => {
    const { planner, log } = await covered({ originals: 'log.jsonl' });
    log.user('the newest', 'newest');
    const before = log.view().messages;
    const plan = planner.plan(planContext());
    if (plan.kind !== 'edit') throw new Error(plan.reason);
    expect(plan.edits).toHaveLength(1);
    for (const edit of plan.edits)
      log.append({
        type: 'edit',
        by: 'session-memory',
        reason: plan.reason,
        receipt: plan.receipt,
        edit,
      });
    const [summary, ...kept] = log.view().messages;
    expect(summary).toMatchObject({ role: 'user', origin: { kind: 'summary' } });
    expect(kept).toEqual(before.slice(-kept.length));
    expect(kept.at(-1)?.id).toBe('newest');
    expect(plan.receipt).toEqual({
      trigger: 'auto',
      engine: 'notes',
      reason: 'over-threshold',
      tokensBefore: 170_000,
      tokensAfter: expect.any(Number),
      lastMessageId: 'newest',
      droppedMessages: before.length - kept.length,
      keptMessages: kept.length,
      kept: { head: kept[0]?.id, tail: 'newest', anchor: summary?.id },
      originals: 'log.jsonl',
      calls: 0,
      notes: { fingerprint: expect.any(String), cut: [] },
      droppedThinking: 0,
    });
    expect(plan.receipt.tokensAfter).toBeLessThan(plan.receipt.tokensBefore);
    expect(planner.plan(planContext())).toEqual({ kind: 'none', reason: 'cursor-not-found' });
  });

  test('reasons', async () => {
    const { planner, log, memory } = await covered();
    const low = planContext({ contextTokens: 166_999 });
    expect(planner.plan(low)).toEqual({ kind: 'none', reason: 'below-threshold' });
    expect(planner.plan(planContext({ contextTokens: 167_000 })).kind).toBe('edit');
    expect(planner.planManual(low)).toMatchObject({
      kind: 'edit',
      reason: 'asked-for',
      receipt: { trigger: 'manual' },
    });
    expect((await covered({ enabled: false })).planner.plan(planContext())).toEqual({
      kind: 'none',
      reason: 'disabled',
    });
    const off = createTestMemory({ enabled: false, file: memoryNotes('notes.md', notes) });
    const unused = createNotesCompaction({ memory: off.memory });
    await off.memory.settle();
    expect(unused.planManual(low)).toEqual({ kind: 'none', reason: 'disabled' });
    log.message('assistant', [{ type: 'tool_use', id: 'open', name: 'Bash', input: {} }]);
    expect(planner.plan(planContext())).toEqual({ kind: 'none', reason: 'open-round' });
    const causes: unknown[] = [];
    const thrower = await covered({
      attachments: () => {
        throw new Error('no');
      },
      onError: (cause) => {
        causes.push(cause);
        throw cause;
      },
    });
    expect(thrower.planner.plan(planContext())).toEqual({ kind: 'none', reason: 'error' });
    expect(causes).toHaveLength(1);
    const unreadable: NotesSnapshot = { status: 'unreadable', template };
    const blind = createNotesCompaction({ memory: { ...memory, snapshot: () => unreadable } });
    expect(blind.plan(planContext())).toEqual({ kind: 'none', reason: 'error' });
  });

  test('a collapsed stretch is no compaction, and may be kept', async () => {
    const { planner, log, memory } = await covered();
    const messages = log.view().messages;
    const [first, last] = [messages.at(-5), messages.at(-2)];
    const folded: Message = {
      id: 'folded',
      role: 'user',
      content: [{ type: 'text', text: 'a stretch' }],
      origin: { kind: 'summary', by: 'collapse' },
    };
    const span = { fromId: first?.sources[0] as string, toId: last?.sources.at(-1) as string };
    const edit = { kind: 'replace-span' as const, ...span, with: [folded], then: [] };
    log.append({ type: 'edit', by: 'layer', reason: 'test', edit });
    expect(memory.snapshot().cursorId).toBe(messages.at(-1)?.id);
    const plan = planner.plan(planContext());
    if (plan.kind === 'none') throw new Error(plan.reason);
    for (const each of plan.edits) {
      log.append({ type: 'edit', by: 'session-memory', reason: plan.reason, edit: each });
    }
    expect(log.view().messages.map(({ id }) => id)).toContain('folded');
  });

  test('a plan changes nothing: asked twice it is the same, an abandoned one costs nothing', async () => {
    const { planner } = await covered();
    expect(planner.plan(planContext())).toEqual(planner.plan(planContext()));
  });

  test('attachments stand behind what is kept, and count', async () => {
    const attachment: Message = {
      id: 'file',
      role: 'user',
      content: [{ type: 'text', text: words(5_000) }],
      origin: { kind: 'reminder' },
    };
    const kept: number[] = [];
    const { planner, log } = await covered({
      attachments: (messages) => {
        kept.push(messages.length);
        return [attachment];
      },
    });
    const without = (await covered()).planner.plan(planContext());
    const plan = planner.plan(planContext());
    if (plan.kind !== 'edit' || without.kind !== 'edit') throw new Error('none');
    expect(plan.receipt.tokensAfter).toBeGreaterThan(without.receipt.tokensAfter + 4_000);
    for (const edit of plan.edits)
      log.append({ type: 'edit', by: 'session-memory', reason: plan.reason, edit });
    expect(log.view().messages.at(-1)?.id).toBe('file');
    expect(kept).toEqual([plan.receipt.keptMessages]);
  });

  test('case 45: thinking of what stays goes whole where the model wants it, never inside an open loop', async () => {
    const thinkingIn = (view: View) =>
      view.messages.filter(({ content }) => content.some(({ type }) => type === 'thinking')).length;
    const apply = async (thinking: ThinkingRule, inLoop: boolean) => {
      const { planner, log } = await covered({ tail: { minTokens: 15_000 } });
      log.user('next');
      if (inLoop) log.round('ok', 'open thought');
      const plan = planner.plan(planContext({ thinking, atUserTurn: !inLoop }));
      if (plan.kind === 'none') return plan.reason;
      for (const edit of plan.edits)
        log.append({ type: 'edit', by: 'session-memory', reason: plan.reason, edit });
      expect(plan.receipt.droppedThinking > 0).toBe(plan.edits.length === 2);
      return thinkingIn(log.view());
    };
    expect(await apply('free', false)).toBeGreaterThan(1);
    expect(await apply('latest-turn', false)).toBe(0);
    expect(await apply('prefix-bound', false)).toBe(0);
    expect(await apply('latest-turn', true)).toBe(1);
    expect(await apply('prefix-bound', true)).toBe('thinking-bound');
  });

  describe('M331: which turn is open is asked of messages, as compaction and context do (siblings)', () => {
    const planFor = async (thinking: ThinkingRule, say: (log: TestLog) => void) => {
      const { planner, log } = await covered({ tail: { minTokens: 15_000 } });
      log.user('next');
      say(log);
      const plan = planner.plan(planContext({ thinking, atUserTurn: true }));
      return plan.kind === 'none' ? plan.reason : plan.receipt.droppedThinking;
    };
    const reminder = (log: TestLog) => {
      const content = [{ type: 'text', text: '<system-reminder>Be brief.</system-reminder>' }];
      log.message('user', content as Block[]);
    };

    test.each<[string, ThinkingRule, (log: TestLog) => void, 'thinking-bound' | 'all' | 'closed']>([
      ['a person who speaks behind the results', 'prefix-bound', (log) => log.user('stop'), 'all'],
      ['a person who speaks behind the results', 'latest-turn', (log) => log.user('stop'), 'all'],
      ['a reminder behind the results', 'prefix-bound', reminder, 'thinking-bound'],
      ['a reminder behind the results', 'latest-turn', reminder, 'closed'],
    ])('%s, %s', async (_name, thinking, say, expected) => {
      const none = await planFor(thinking, () => undefined);
      const found = await planFor(thinking, (log) => {
        log.round('ok', 'thought');
        say(log);
      });
      if (expected === 'thinking-bound') expect(found).toBe(expected);
      else expect(found).toBe(Number(none) + (expected === 'all' ? 1 : 0));
    });

    test('reasoning of another provider is thinking too', async () => {
      const none = await planFor('prefix-bound', () => undefined);
      const reasoning = { type: 'reasoning', id: 'r', encrypted_content: 'x' } as unknown as Block;
      const found = await planFor('prefix-bound', (log) => {
        log.message('assistant', [reasoning, { type: 'text', text: 'done' }]);
      });
      expect(found).toBe(Number(none) + 1);
    });
  });

  test('a thread whose log is loaded plans as before, once the notes are read', async () => {
    const { planner, log, file } = await covered();
    const resumed = createTestMemory({ file });
    const again = createNotesCompaction({ memory: resumed.memory });
    const projection = createProjection();
    for (const line of log.entries.map(serializeEntry)) {
      const entry = parseEntry(line);
      again.observe(entry, projection.append(entry));
    }
    expect(again.plan(planContext())).toEqual({ kind: 'none', reason: 'no-notes' });
    await resumed.memory.settle();
    expect(again.plan(planContext()).kind).toBe('edit');
    expect(again.plan(planContext())).toEqual(planner.plan(planContext()));
  });

  test('case 9: over six compactions the summary stays under its bound and holds no earlier one', async () => {
    const { memory } = createTestMemory({
      runFork: noteTaker((fork) => ({
        '# Worklog': words(1_800, `log of ${fork.view.messages.length}`),
        '# Task': `seen: ${JSON.stringify(fork.view.messages[0]).slice(0, 4_000)}`,
      })),
    });
    const planner = createNotesCompaction({ memory, textSize });
    const log = createTestLog(planner.observe);
    for (let time = 0; time < 6; time++) {
      for (let turn = 0; turn < 20; turn++) {
        log.user(words(2_000, `request ${time} ${turn}`));
        log.reply(words(2_000, `answer ${time} ${turn}`));
      }
      await memory.extractNow();
      const plan = planner.plan(planContext());
      if (plan.kind !== 'edit') throw new Error(plan.reason);
      for (const edit of plan.edits)
        log.append({
          type: 'edit',
          by: 'session-memory',
          reason: plan.reason,
          receipt: plan.receipt,
          edit,
        });
      const summaries = log.view().messages.filter(({ origin }) => origin?.kind === 'summary');
      expect(summaries).toHaveLength(1);
      expect(sizeOf(summaries[0] as Message)).toBeLessThan(12_500);
    }
  });
});

/** What a person said since the last reply that ended without a call, and since the last call that was aborted. */
function unansweredBefore(messages: View['messages'], end: number): View['messages'] {
  let open: View['messages'] = [];
  let halted = false;
  for (const [index, message] of messages.entries()) {
    const { role, origin, content, response } = message;
    const isPerson = origin === undefined || origin.kind === 'command';
    const brings = content.some(({ type }) => type === 'tool_result');
    halted ||= content.some((block) => `${block.content}`.startsWith('Outcome unknown (aborted)'));
    if (role === 'user' && isPerson && !brings) {
      if (halted) open = [];
      halted = false;
      if (index < end) open = [...open, message];
    }
    if (role !== 'assistant' || origin?.kind === 'synthetic') continue;
    if (messages[index + 1]?.role === 'assistant') continue;
    const row = messages.slice(
      messages.slice(0, index).findLastIndex((each) => each.role !== 'assistant') + 1,
      index + 1,
    );
    const calls = row.some((each) => each.content.some(({ type }) => type === 'tool_use'));
    const ends = ['end_turn', 'stop_sequence', 'refusal', 'unknown'];
    halted = false;
    if (!calls && ends.includes(response?.stopReason ?? 'end_turn')) open = [];
  }
  return halted ? [] : open;
}

const wordsOf = (messages: readonly Message[]) =>
  messages.map(({ role, content, origin }) => ({ role, content, origin }));

describe('laws (N6)', () => {
  const { numRuns: runs = 100 } = fc.readConfigureGlobal();
  const profiles = [openaiChatProfile(), openaiResponsesProfile()];
  const contexts = fc.record({
    thinking: fc.constantFrom<ThinkingRule>('free', 'latest-turn', 'prefix-bound'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    tail: fc.record({
      minTokens: fc.nat(300),
      minTextMessages: fc.nat(5),
      maxTokens: fc.nat(3_000),
    }),
  });

  test('case 15: any log, any cursor: the edits are taken, the view is valid, the tail the same but for thinking', () => {
    let edited = 0;
    fc.assert(
      fc.property(validLog(), contexts, (entries, { thinking, at, tail }) => {
        const view = project(entries);
        if (view.open !== undefined || view.messages.length === 0) return;
        const cursor = view.messages[Math.floor(at * (view.messages.length - 1))];
        const snapshot: NotesSnapshot = {
          status: 'loaded',
          notes,
          template,
          cursorId: cursor?.sources[0],
        };
        const planner = createNotesCompaction({
          minSavings: 0,
          memory: { observe: () => undefined, snapshot: () => snapshot },
          tail,
          textSize: () => 1,
        });
        const projection = createProjection();
        for (const entry of entries) planner.observe(entry, projection.append(entry));
        const last = view.messages.at(-1);
        const atUserTurn =
          last?.role === 'user' && !last.content.some(({ type }) => type === 'tool_result');
        const size = view.messages.reduce((sum, message) => sum + sizeOf(message), 0);
        const limits = { windowTokens: 1e9, effectiveTokens: 1e9, autocompactTokens: 1e9 };
        const plan = planner.planManual(
          planContext({ thinking, atUserTurn, contextTokens: size, limits, sizeOf }),
        );
        if (plan.kind === 'none') return;
        edited++;
        let after = view;
        const profile = anthropicProfile({ thinking });
        const wasValid = checkHistory(view.messages, profile).length === 0;
        for (const [index, edit] of plan.edits.entries()) {
          after = projection.append({
            id: `law-${index}`,
            at: '2026-01-31T12:00:00Z',
            type: 'edit',
            by: 'session-memory',
            reason: plan.reason,
            receipt: plan.receipt,
            edit,
          });
          if (wasValid) expect(checkHistory(after.messages, profile)).toEqual([]);
        }
        for (const other of profiles) {
          if (checkHistory(view.messages, other).length === 0)
            expect(checkHistory(after.messages, other)).toEqual([]);
        }
        const span = plan.edits.at(-1);
        if (span?.kind !== 'replace-span') throw new Error('a span is replaced');
        const keepFrom = view.messages.findIndex(({ sources }) => sources.includes(span.toId)) + 1;
        const copies = span.with.length - 1;
        const said = unansweredBefore(view.messages, keepFrom);
        expect(wordsOf(after.messages.slice(1, copies + 1))).toEqual(wordsOf(said));
        expect(plan.receipt.droppedMessages).toBe(keepFrom - copies);
        const kept = after.messages.slice(copies + 1);
        const tailBefore = view.messages.slice(keepFrom);
        const bare = (messages: View['messages']) =>
          messages.map((message) => ({
            ...message,
            content: message.content.filter(({ type }) => !type.endsWith('thinking')),
          }));
        expect(bare(kept)).toEqual(bare(tailBefore));
        if (thinking === 'free') expect(kept).toEqual(tailBefore);
        if (thinking === 'prefix-bound') expect(bare(kept)).toEqual(kept);
        expect(after.messages[0]?.origin?.kind).toBe('summary');
        const cursorAt = view.messages.indexOf(cursor as View['messages'][number]);
        expect(keepFrom).toBeLessThanOrEqual(cursorAt + 1);
      }),
    );
    expect(edited).toBeGreaterThan(runs / 10);
  });

  test('any log, notes taken at any moments: what nobody has answered yet stays byte for byte', async () => {
    let [edited, open] = [0, 0];
    // in percent of the log, evenly: moments behind its end or before the first answer have nothing to cover
    const moments = fc.array(fc.noBias(fc.nat(99)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(validLog(), moments, async (entries, percents) => {
        const at = percents.map((percent) => Math.floor((percent / 100) * entries.length));
        const { memory } = createTestMemory({
          runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
        });
        const none = { minTokens: 0, minTextMessages: 0, maxTokens: 0 };
        const planner = createNotesCompaction({
          memory,
          tail: none,
          textSize: () => 1,
          minSavings: 0,
        });
        const projection = createProjection();
        let view: View = { messages: [], changedFrom: 0 };
        for (const [index, entry] of entries.entries()) {
          view = projection.append(entry);
          planner.observe(entry, view);
          if (at.includes(index)) await memory.extractNow();
        }
        const plan = planner.planManual(planContext({ contextTokens: 100_000, sizeOf: () => 9 }));
        if (plan.kind === 'none') return;
        edited++;
        const unanswered = unansweredBefore(view.messages, view.messages.length);
        let after = view;
        for (const [index, edit] of plan.edits.entries()) {
          const facts = { type: 'edit', by: 'session-memory', reason: plan.reason } as const;
          after = projection.append({
            id: `x${index}`,
            at: '2026-01-31T12:00:00Z',
            ...facts,
            edit,
          });
        }
        if (view.open !== undefined) return;
        open += unanswered.length > 0 && after.messages[1]?.id.startsWith('notes-summary') ? 1 : 0;
        expect(wordsOf(unansweredBefore(after.messages, after.messages.length))).toEqual(
          wordsOf(unanswered),
        );
      }),
    );
    expect(edited).toBeGreaterThan(runs / 10);
    expect(open).toBeGreaterThanOrEqual(Math.floor(runs / 20));
  });

  test('memory fed a log at once knows what one fed as it grew knows', () => {
    fc.assert(
      fc.property(validLog(), (entries) => {
        const file = memoryNotes('n.md', notes);
        const grown = createTestMemory({ file });
        const loaded = createTestMemory({ file });
        const projection = createProjection();
        for (const entry of entries) {
          grown.memory.observe(entry, projection.append(entry));
          grown.memory.snapshot();
        }
        const again = createProjection();
        for (const entry of entries) loaded.memory.observe(entry, again.append(entry));
        expect(loaded.memory.snapshot()).toEqual(grown.memory.snapshot());
      }),
    );
  });
});
