import {
  checkHistory,
  closeRound,
  type Entry,
  isToolResult,
  type Message,
  type Planner,
  parseEntry,
  serializeEntry,
  type View,
} from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { discoveredTools } from '../../src/full/discovered-tools.ts';
import {
  type Compaction,
  type CompactionFailed,
  type CompactionWork,
  type Compactor,
  createCompaction,
} from '../../src/index.ts';
import { isStillCurrent } from '../../src/pipeline.ts';
import { profilesFor, RULES, round, said, turns } from '../full/histories.ts';
import { FAILING, fakeModel, GOOD, noWait, reply } from '../full/models.ts';
import { contextFor, editEntry, feed, HEAD, type WatchedLog, watchedLog } from './working-log.ts';

const OPTIONS = { wait: noWait, minSavings: 0 };

const good = (options = {}) =>
  createCompaction({ ...OPTIONS, ...fakeModel(reply(GOOD)), ...options });

const block = (text: string) => [{ type: 'text', text }];
const user = (text: string): Omit<Message, 'id'> => ({ role: 'user', content: block(text) });

function logOf(planner: Compactor, history: ReturnType<typeof turns>): WatchedLog {
  const log = watchedLog(planner);
  log.append(HEAD);
  for (const { role, content } of history) {
    log.say({ role, content: typeof content === 'string' ? block(content) : content });
  }
  return log;
}

function workOf(planner: Compactor, log: WatchedLog, options = {}): CompactionWork {
  const plan = planner.planNow(contextFor(log.view, options), { trigger: 'auto' });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return plan.work;
}

function expectDone(result: Compaction | CompactionFailed): Compaction {
  if (result.kind === 'failed') throw new Error(result.reason);
  return result;
}

describe('createCompaction (C1, C4, C9)', () => {
  test('plans nothing below the threshold, work above it', () => {
    const planner = good();
    const log = logOf(planner, turns(4));
    const roomy = contextFor(log.view, { windowTokens: 1_000_000 });
    expect(planner.plan(roomy)).toEqual({ kind: 'none', reason: 'below-threshold' });
    expect(planner.plan(contextFor(log.view))).toMatchObject({
      kind: 'work',
      reason: 'over-threshold',
    });
    expectTypeOf(planner).toExtend<Planner<CompactionWork>>();
  });

  test('G3: most decisions size nothing, and the one that is due sizes but a few messages', () => {
    const planner = good();
    const log = logOf(planner, []);
    let sized = 0;
    const own = contextFor(log.view).sizeOf;
    const sizeOf = (message: Message) => {
      sized++;
      return own(message);
    };
    const decide = (options = {}) => {
      const before = sized;
      planner.decide({ ...contextFor(log.view, options), sizeOf });
      return sized - before;
    };
    const sizes = turns(40).map(({ role, content }) => {
      log.say({ role, content: typeof content === 'string' ? block(content) : content });
      return decide({ windowTokens: 1_000_000 });
    });
    expect(sizes.filter((count) => count === 0).length).toBeGreaterThan(sizes.length * 0.8);
    expect(decide()).toBeLessThanOrEqual(8);
  });

  test('knows what stands beside the messages, after an edit as well', () => {
    const planner = good();
    const log = logOf(planner, turns(4));
    const decide = () =>
      planner.decide(contextFor(log.view, { windowTokens: 1_200, overheadTokens: 1_200 }));
    expect(decide()).toMatchObject({ reason: 'irreducible-overhead', overheadTokens: 1_200 });
    const cleared = { type: 'tool_result', tool_use_id: 'a0', content: '[cleared]' };
    const messageId = log.view.messages[2]?.id as string;
    log.append(
      editEntry(
        { kind: 'replace-content', blocks: [{ messageId, index: 0, block: cleared }] },
        'clear',
      ),
    );
    expect(decide()).toMatchObject({ reason: 'irreducible-overhead', overheadTokens: 1_200 });
  });

  test('waits while calls have no results', () => {
    const planner = good();
    const log = logOf(planner, turns(4));
    log.say({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'open', name: 'read', input: {} }],
    });
    expect(planner.plan(contextFor(log.view))).toEqual({ kind: 'none', reason: 'round-open' });
  });

  test('makes one edit whose receipt says what it did, and shows summary, kept messages, attachments', async () => {
    const planner = good({ keepTokens: 1_500 });
    const log = logOf(planner, [...turns(6), said('And now plum-4.')]);
    const before = log.view.messages;
    const work = workOf(planner, log);
    const attach = (): Message[] => [{ id: 'file', role: 'user', content: block('src/a.ts') }];
    const compaction = expectDone(await planner.run(work, { attach }));
    log.commit(compaction);
    const { messages } = log.view;
    const { kept, ...receipt } = compaction.receipt;
    const start = before.findIndex(({ id }) => id === kept?.head);
    expect(messages.slice(1, -1)).toEqual(before.slice(start));
    expect(messages.slice(1, -1).every((each, index) => each === before[start + index])).toBe(true);
    expect(messages.at(-1)?.id).toBe('file');
    expect(kept).toEqual({
      head: before[start]?.id,
      tail: before.at(-1)?.id,
      anchor: messages[0]?.id,
    });
    expect(messages[0]?.origin).toEqual({ kind: 'summary', engine: 'summary' });
    expect(receipt).toMatchObject({
      trigger: 'auto',
      engine: 'summary',
      reason: 'over-threshold',
      calls: 1,
    });
    expect(receipt.lastMessageId).toBe(before[start - 1]?.id);
    expect(receipt.droppedMessages).toBe(start);
  });

  test('says again, in the same bytes, a request that is not done and stands among what is replaced', async () => {
    const planner = good();
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
    };
    const log = logOf(planner, turns(4));
    log.say({ role: 'user', content: [...block('Do plum-4, dune-9, oak-7.'), image] });
    for (const { role, content } of round('open', 900))
      log.say({ role, content: content as Message['content'] });
    const open = log.view.messages.findLast(({ content }) => content.includes(image));
    const compaction = expectDone(await planner.run(workOf(planner, log)));
    log.commit(compaction);
    expect(log.view.messages.length).toBe(2);
    expect(log.view.messages[1]?.content).toBe(open?.content);
    expect(JSON.stringify(log.view.messages[0])).toContain('still being worked on');
  });

  test('compacts a compacted log again: one summary, nothing nested', async () => {
    const model = fakeModel(reply(GOOD));
    const planner = createCompaction({ ...OPTIONS, ...model });
    const log = logOf(planner, turns(4));
    log.say(user('An open request.'));
    for (const each of ['c1', 'c2', 'c3']) {
      for (const { role, content } of round(each, 900))
        log.say({ role, content: content as Message['content'] });
      const work = workOf(planner, log, { windowTokens: 200_000 });
      log.commit(expectDone(await planner.run(work)));
      expect(log.view.messages.map(({ origin }) => origin?.kind)).toEqual(['summary', undefined]);
    }
    const texts = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(texts.map((text) => text.includes('earlier summary'))).toEqual([false, true, true]);
  });

  test('stops after three failures in a row, and goes on after a compaction by hand', async () => {
    const planner = createCompaction({
      ...OPTIONS,
      ...fakeModel(FAILING.refusal as never),
      fallback: 'none',
    });
    const log = logOf(planner, turns(4));
    for (const attempt of ['1', '2', '3']) {
      const result = await planner.run(workOf(planner, log));
      expect(result).toMatchObject({ kind: 'failed', reason: 'refused', calls: 1 });
      const data = { kind: 'compaction-ended', attempt, outcome: 'failed', reason: 'refused' };
      log.append({ id: `n${attempt}`, at: HEAD.at, type: 'note', by: 'compact', data });
    }
    const context = contextFor(log.view);
    expect(planner.plan(context)).toEqual({ kind: 'none', reason: 'breaker-open' });
    const folded = { fromId: 's2', toId: 's3', with: [{ id: 'f', ...user('Folded.') }], then: [] };
    const edit = editEntry({ kind: 'replace-span', ...folded }, 'fold');
    log.append({ ...edit, by: 'collapse', receipt: { engine: 'summary', reason: 'threshold' } });
    expect(planner.breaker().failures).toBe(3); // a stretch that was folded is no compaction
    const now = planner.planNow(context, { trigger: 'manual' });
    expect(now).toMatchObject({ kind: 'work', reason: 'manual' });
    const other = good();
    for (const entry of log.entries) other.observe(entry, log.view);
    expect(other.breaker()).toEqual(planner.breaker());
    if (now.kind === 'work') log.commit(expectDone(await other.run(now.work)));
    expect(planner.breaker()).toEqual({ failures: 0, rapid: 0, requestsSince: 0, paused: false });
  });
});

describe('isStillCurrent', () => {
  const planner = good();
  const log = logOf(planner, turns(3));
  const work = workOf(planner, log);
  const bound = workOf(planner, log, { thinking: 'prefix-bound' });
  const message = (content: Message['content']): Entry => ({
    id: 'x',
    at: HEAD.at,
    type: 'message',
    message: { id: 'm', role: 'assistant', content },
  });
  const inSpan = log.view.messages[3]?.sources[0] as string;
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
  const span = { kind: 'replace-span', with: [], then: [] } as const;
  test.each([
    { name: 'nothing', entries: [], current: true },
    { name: 'a message', entries: [message(block('Yes.'))], current: true },
    {
      name: 'thinking that is free',
      entries: [message([thought, ...block('Yes.')])],
      current: true,
    },
    {
      name: 'an edit of the server',
      entries: [editEntry({ kind: 'server', params: {} }, 'x')],
      current: true,
    },
    {
      name: 'a rewind of what came later',
      entries: [editEntry({ ...span, fromId: 'm', toId: 'm' }, 'x')],
      current: true,
    },
    {
      name: 'a rewind into the span',
      entries: [editEntry({ ...span, fromId: inSpan, toId: 'm' }, 'x')],
      current: false,
    },
    {
      name: 'a span that ends inside',
      entries: [editEntry({ ...span, fromId: 'earlier', toId: inSpan }, 'x')],
      current: false,
    },
    {
      name: 'a cleared block',
      entries: [
        editEntry(
          { kind: 'replace-content', blocks: [{ messageId: inSpan, index: 0, block: null }] },
          'x',
        ),
      ],
      current: false,
    },
    { name: 'an undo', entries: [editEntry({ kind: 'undo', entryId: 'e1' }, 'x')], current: false },
  ])('after $name: $current', ({ entries, current }) => {
    expect(isStillCurrent(work, entries)).toBe(current);
  });

  test('refuses thinking that was bound to what would go', () => {
    expect(isStillCurrent(bound, [message([thought, ...block('Yes.')])])).toBe(false);
  });

  test('K305: thinking that an edit brought meanwhile counts like that of a reply', () => {
    const reply = { id: 'k', role: 'assistant', content: [thought, ...block('Yes.')] } as const;
    const edit = { kind: 'replace-span', fromId: 'm', toId: 'm', with: [reply], then: [] } as const;
    expect(isStillCurrent(bound, [message(block('Yes.')), editEntry(edit, 'x')])).toBe(false);
  });

  test('a model that wants its latest turn back takes the thinking of turns that closed meanwhile', () => {
    const latest = workOf(planner, log, { thinking: 'latest-turn' });
    const asked: Entry = {
      ...{ id: 'y', at: HEAD.at, type: 'message' },
      message: { id: 'n', role: 'user', content: block('And now?') },
    };
    expect(isStillCurrent(latest, [message([thought, ...block('Yes.')]), asked])).toBe(true);
  });
});

describe('deferred tools that were found (C9)', () => {
  const found = (id: string, name: string) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'search', input: {} }] } as const,
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id,
          content: [{ type: 'tool_reference', tool_name: name }],
        },
      ],
    } as const,
  ];

  test('stand in each receipt, those that an earlier compaction took away as well', async () => {
    const planner = good();
    const log = logOf(planner, turns(4));
    const receipts = [];
    for (const names of [['paint'], ['sing', 'paint'], []]) {
      for (const name of names) for (const message of found(name, name)) log.say(message);
      for (const { role } of turns(1))
        log.say({ role, content: block(`more ${'words '.repeat(400)}`) });
      const compaction = expectDone(await planner.run(workOf(planner, log)));
      log.commit(compaction);
      receipts.push(compaction.receipt.discoveredTools);
    }
    expect(receipts).toEqual([['paint'], ['paint', 'sing'], ['paint', 'sing']]);
  });

  test('nothing stands there where none was found', async () => {
    const planner = good();
    const compaction = expectDone(await planner.run(workOf(planner, logOf(planner, turns(4)))));
    expect(compaction.receipt).not.toHaveProperty('discoveredTools');
  });

  test.each([
    [[], []],
    [[{ type: 'tool_result', tool_use_id: 'a', content: 'paint' }], []],
    [[{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference' }] }], []],
    [[{ type: 'tool_search_tool_result', content: null }], []],
    [
      [
        {
          type: 'tool_search_tool_result',
          content: { tool_references: [{ type: 'tool_reference', tool_name: 'paint' }, null] },
        },
      ],
      ['paint'],
    ],
  ])('%j names %j', (content, names) => {
    expect(discoveredTools({ content: content as never })).toEqual(names);
  });
});

describe('rounds that were broken off', () => {
  const calls = ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }));
  const rejected = { type: 'tool_result', tool_use_id: 'c1', content: 'rejected', is_error: true };
  const finished = { type: 'tool_result', tool_use_id: 'c2', content: 'finished' };

  test.each([
    { name: 'one rejected, one finished', results: [rejected, finished] },
    { name: 'one rejected, none finished', results: [rejected] },
    { name: 'none finished', results: [] },
  ])(
    'case 43: $name: nothing is compacted before each call has its result',
    async ({ results }) => {
      const planner = good();
      const log = logOf(planner, turns(4));
      log.say({ role: 'assistant', content: calls });
      for (const result of results) log.say({ role: 'user', content: [result] });
      if (log.view.open) {
        const plan = planner.planNow(contextFor(log.view), { trigger: 'auto' });
        expect(plan).toEqual({ kind: 'none', reason: 'round-open' });
        const options = { reason: 'aborted', at: '2026-02-01T00:00:00.000Z' };
        for (const message of closeRound(log.view.open, options)) log.say(message);
      }
      log.commit(expectDone(await planner.run(workOf(planner, log))));
      for (const profile of profilesFor('free')) {
        expect(checkHistory(log.view.messages, profile)).toEqual([]);
      }
    },
  );
});

describe('createCompaction (laws)', () => {
  test('leaves every view valid for each provider after any edits, compactions and undos, keeps what it says it keeps, and is taken back by an undo', async () => {
    const engines = { summary: 0, ledger: 0, notes: 0, provider: 0 };
    await fc.assert(
      fc.asyncProperty(drawn(), async ({ log: entries, more, thinking, keepTokens, failing }) => {
        const model = fakeModel(failing ? (FAILING.overload as never) : reply(GOOD));
        const planner = createCompaction({ ...OPTIONS, ...model, keepTokens });
        const log = watchedLog(planner);
        feed(log, [HEAD, ...entries]);
        for (const part of [[], more]) {
          feed(log, renamed(part));
          const before = log.view;
          if (before.open || violations(before, thinking).length > 0) return;
          const plan = planner.planNow(contextFor(before, { thinking, windowTokens: 20_000 }), {
            trigger: 'auto',
          });
          const result = plan.kind === 'work' ? await planner.run(plan.work) : undefined;
          if (result?.kind !== 'compacted') continue;
          engines[result.receipt.engine]++;
          const entry = log.commit(result);
          expectKept(before, log.view);
          expect(violations(log.view, thinking)).toEqual([]);
          expectUndo(log, before, entry);
        }
        expectSameElsewhere(log, planner);
      }),
    );
    const runs = fc.readConfigureGlobal().numRuns ?? 100;
    expect(engines.summary).toBeGreaterThan(runs / 4);
    expect(engines.ledger).toBeGreaterThan(runs / 4);
  });
});

const drawn = () =>
  fc.record({
    log: validLog(),
    more: validLog(),
    thinking: fc.constantFrom(...RULES),
    keepTokens: fc.constantFrom(0, 50, 500),
    failing: fc.boolean(),
  });

/** Entries of a second log under ids of their own, without edits, whose targets are not here. */
const renamed = (entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap((entry) =>
    entry.type === 'message'
      ? [
          {
            ...entry,
            id: `2-${entry.id}`,
            message: { ...entry.message, id: `2-${entry.message.id}` },
          },
        ]
      : [],
  );

function violations(view: View, thinking: (typeof RULES)[number]) {
  const fingerprintAt = (count: number) => prefixFingerprint(view, count);
  return profilesFor(thinking).flatMap((profile) =>
    checkHistory(view.messages, profile, { fingerprintAt }),
  );
}

/** What is not the summary was there before, in this order, and lost nothing but thinking and the middle of results. */
function expectKept(before: View, after: View): void {
  let place = -1;
  for (const { content } of after.messages.slice(1)) {
    const next = before.messages.findIndex(
      (message, index) =>
        index > place &&
        (message.content === content ||
          JSON.stringify(uncut(message.content)) === JSON.stringify(uncut(content))),
    );
    expect(next).toBeGreaterThan(place);
    place = next;
  }
}

/** Blocks without thinking, and results by their calls, because their texts may be cut. */
const uncut = (content: Message['content']) =>
  content
    .filter(({ type }) => !type.endsWith('thinking'))
    .map((block) => (isToolResult(block) ? { ...block, content: undefined } : block));

function expectUndo(log: WatchedLog, before: View, entry: Entry): void {
  const shown = log.view.messages;
  const undo = {
    id: `${entry.id}-undo`,
    ...withoutId(editEntry({ kind: 'undo', entryId: entry.id }, '')),
  };
  log.append(undo);
  expect(log.view.messages).toEqual(before.messages);
  log.append({
    id: `${entry.id}-redo`,
    ...withoutId(editEntry({ kind: 'undo', entryId: undo.id }, '')),
  });
  expect(log.view.messages).toEqual(shown);
}

const withoutId = ({ id: _, ...entry }: ReturnType<typeof editEntry>) => entry;

/** A planner that reads the written log knows what this one knows. */
function expectSameElsewhere(log: WatchedLog, planner: Compactor): void {
  const other = good();
  feed(
    watchedLog(other),
    log.entries.map((entry) => parseEntry(serializeEntry(entry))),
  );
  expect(other.breaker()).toEqual(planner.breaker());
  expect(other.ledger.facts()).toEqual(planner.ledger.facts());
}
