import {
  checkHistory,
  createProjection,
  type Edit,
  type Entry,
  type Message,
  project,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { personBlocks } from '@varve/messages/persons';
import { prefixFingerprint } from '@varve/messages/stamps';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFold } from '../../src/fold.ts';
import { ESTIMATOR, profilesFor, RULES, replied, said, tokensOf } from '../full/histories.ts';
import {
  contextFor,
  editEntry,
  feed,
  HEAD,
  type WatchedLog,
  watchedLog,
} from '../plan/working-log.ts';

const EAGER = { afterRequests: 1, minSavingsTokens: 1, minColdSavingsTokens: 1 };

interface RoundOptions {
  readonly name?: string;
  readonly input?: Message['content'][number]['input'];
  readonly words?: string;
  readonly result?: string | readonly Message['content'][number][];
  readonly isError?: boolean;
}

let count = 0;
function round({
  name = 'Read',
  input = { file_path: 'src/a.ts' },
  words,
  result = 'export const answer = 42; // as it stands in the file '.repeat(4),
  isError,
}: RoundOptions = {}): Omit<Message, 'id'>[] {
  const id = `call-${count++}`;
  return [
    {
      role: 'assistant',
      content: [
        ...(words === undefined ? [] : [{ type: 'text', text: words }]),
        { type: 'tool_use', id, name, input },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id,
          content: result,
          ...(isError && { is_error: true }),
        },
      ],
    },
  ] as Omit<Message, 'id'>[];
}

const rounds = (number: number, options?: RoundOptions) =>
  Array.from({ length: number }, () => round(options)).flat();

function logWith(planner: ReturnType<typeof createFold>, messages: readonly object[]): WatchedLog {
  const log = watchedLog(planner);
  log.append(HEAD);
  for (const message of messages) log.say(asMessage(message));
  return log;
}

function asMessage(given: object): Omit<Message, 'id'> {
  const { role, content } = given as Message;
  return {
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  };
}

/** The fold that an eager planner makes of some messages with three newer rounds behind them; empty where it makes none. */
function foldOf(messages: readonly object[], options = {}): string {
  const planner = createFold({ ...EAGER, afterRequests: 3, ...options });
  const log = logWith(planner, [said('Mend it.'), ...messages, ...rounds(4, LARGE)]);
  const plan = planner.plan(contextFor(log.view));
  return plan.kind === 'edit' ? textsOf(plan.edits).join('\n---\n') : '';
}

const textsOf = (edits: readonly Edit[]): string[] =>
  edits.flatMap((edit) =>
    edit.kind === 'replace-span' ? edit.with.map(({ content }) => String(content[0]?.text)) : [],
  );

/** Nothing of it is ever folded. */
const LARGE = { result: 'one more line of a long output; '.repeat(200) };

describe('createFold', () => {
  test('turns each old small call into one line, a file by its whole path', () => {
    const path = `src/${'deep/'.repeat(30)}a.ts`;
    const text = foldOf([
      ...rounds(2, { input: { file_path: path } }),
      ...round({ name: 'Bash', input: { command: `echo ${'x'.repeat(200)}` }, isError: true }),
      ...round({ name: 'Grep', input: { pattern: 'needle', path: 'src' } }),
    ]);
    const lines = text.split('\n').slice(1);
    expect(lines).toEqual([
      `Read ${path}`,
      `Read ${path}`,
      `Bash echo ${'x'.repeat(85)} (failed)`,
      'Grep needle src',
    ]);
  });

  test('keeps findings word for word, and of other words the first tenth', () => {
    const finding = 'The parser fails because `readToken` returns undefined at the end of a line.';
    const look =
      'Let me look at the file now, and at what is around it, and at the rest of it too.';
    const text = foldOf([
      ...rounds(4),
      ...round({ words: `${look} ${finding}` }),
      ...round({ words: look }),
    ]);
    expect(text).toContain(`- ${finding}`);
    expect(text).toContain('- Let me lo');
    expect(text).not.toContain(look);
  });

  test('names where a result that was cleared is stored', () => {
    const planner = createFold({ ...EAGER, afterRequests: 3, handleOf: () => 'kept-1.txt' });
    const log = logWith(planner, [said('Mend it.'), ...rounds(6), ...rounds(4, LARGE)]);
    const result = log.view.messages[2] as Message;
    const [block] = result.content as [Message['content'][number]];
    log.append(
      editEntry(
        {
          kind: 'replace-content',
          blocks: [{ messageId: result.id, index: 0, block: { ...block, content: '[Cleared.]' } }],
        },
        'clear',
      ),
    );
    const plan = planner.plan(contextFor(log.view));
    const text = plan.kind === 'edit' ? textsOf(plan.edits).join() : '';
    expect(text.match(/ \(stored as kept-1\.txt\)/g)).toHaveLength(1);
  });

  const question = { name: 'AskUserQuestion', input: { question: 'Which one?' } };
  test.each([
    ['a large result', round(LARGE)],
    [
      'a large input',
      round({ name: 'Write', input: { file_path: 'a', content: 'x '.repeat(500) } }),
    ],
    ['what a person answered', round(question)],
    ['what another server brought', round({ name: 'mcp__tracker__issue', input: {} })],
    ['a document that was read', round({ input: { file_path: 'CLAUDE.md' } })],
    [
      'a picture',
      round({
        result: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      }),
    ],
    [
      'what follows a system message',
      [said('Go on.'), { role: 'system', content: 'Be brief.' }, ...round()],
    ],
    ['what a person said', [replied(), said('Not that file!')]],
  ])('leaves %s where it is', (_, messages) => {
    const text = foldOf([...rounds(4), ...messages, ...rounds(4)]);
    expect(text.split('\n---\n')).toHaveLength(2);
    expect(text.match(/^Read src\/a\.ts$/gm)).toHaveLength(8);
  });

  test.each([
    [12, 11, false],
    [12, 12, true],
    [1, 1, true],
  ])(
    'after %i requests: a call that %i requests followed is folded: %s',
    (after, newer, isFolded) => {
      const planner = createFold({ ...EAGER, afterRequests: after });
      const log = logWith(planner, [
        said('Mend it.'),
        ...rounds(1, { words: WORTH }),
        ...rounds(newer - 1, LARGE),
        replied('Done.'),
      ]);
      expect(planner.plan(contextFor(log.view)).kind === 'edit').toBe(isFolded);
    },
  );
  const WORTH = `Let me see ${'what is there, and '.repeat(40)}`;

  test('waits until enough is saved, and for less where the cache is lost anyway', () => {
    const options = { afterRequests: 2, minSavingsTokens: 2_000 };
    const [waiting, edited] = [createFold(options), createFold(options)];
    const messages = [said('Mend it.'), ...rounds(20), ...rounds(3, LARGE)];
    const log = logWith(waiting, messages);
    const context = contextFor(log.view);
    expect(waiting.plan(context)).toEqual({ kind: 'none', reason: 'too-little' });
    expect(waiting.plan({ ...context, cache: { warm: false, markers: [] } }).kind).toBe('edit');
    const other = logWith(edited, messages);
    const { id } = other.view.messages[0] as Message;
    const blocks = [{ messageId: id, index: 0, block: { type: 'text', text: 'Mend this.' } }];
    other.append(editEntry({ kind: 'replace-content', blocks }, 'clear'));
    expect(edited.plan(contextFor(other.view)).kind).toBe('edit');
    other.say(asMessage(replied()));
    expect(edited.plan(contextFor(other.view)).kind).toBe('none');
  });

  test('leaves what a compaction kept in place of a span, which no other span may part', () => {
    const planner = createFold({ ...EAGER, afterRequests: 3 });
    const log = logWith(planner, [
      said('Mend it.'),
      ...rounds(2),
      ...rounds(4),
      ...rounds(3, LARGE),
    ]);
    const [first, , , , last] = log.view.messages as readonly Message[];
    const kept = rounds(4).map((message, at) => ({ id: `kept-${at}`, ...message }));
    const summary: Message = {
      id: 'sum',
      role: 'user',
      content: [{ type: 'text', text: 'All.' }],
      origin: { kind: 'summary' },
    };
    const span = {
      kind: 'replace-span',
      fromId: first?.id as string,
      toId: last?.id as string,
      with: [summary, ...kept],
      then: [],
    } as const;
    log.append(editEntry(span, 'compaction'));
    for (const message of rounds(3, LARGE)) log.say(asMessage(message));
    const plan = planner.plan(contextFor(log.view));
    expect(plan.kind).toBe('edit');
    for (const edit of plan.kind === 'edit' ? plan.edits : []) log.append(editEntry(edit, 'fold'));
    expect(log.view.messages.slice(0, 9).map(({ id }) => id)).toEqual([
      'sum',
      ...kept.map(({ id }) => id),
    ]);
  });

  test('refuses numbers that make no sense', () => {
    expect(() => createFold({ afterRequests: 0 })).toThrow(RangeError);
    expect(() => createFold({ minSavingsTokens: -1 })).toThrow(RangeError);
  });
});

function violations(view: View, thinking: ThinkingRule) {
  const fingerprintAt = (messages: number) => prefixFingerprint(view, messages);
  return profilesFor(thinking).flatMap((profile) =>
    checkHistory(view.messages, profile, { fingerprintAt }),
  );
}

/** Logs with rounds that can be folded between what an arbitrary log holds. */
const workingLog = () =>
  fc
    .tuple(validLog(), fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }))
    .map(([entries, kinds]) => {
      const given = kinds.flatMap(
        (kind, at) =>
          [
            round({ words: `The cause of ${at} is that it was never set. Let me look.` }),
            round({ name: 'Bash', input: { command: 'pnpm test' }, isError: kind === 1 }),
            [...rounds(1), asMessage(replied()), asMessage(said(`And ${at}?`))],
            [
              {
                role: 'assistant',
                content: [
                  { type: 'thinking', thinking: 'Hm.', signature: `s${at}` },
                  { type: 'text', text: 'So.' },
                ],
              } as Omit<Message, 'id'>,
            ],
          ][kind] as Omit<Message, 'id'>[],
      );
      const added = given.map(
        (message, at): Entry => ({
          id: `more-${at}`,
          at: '2026-02-01T00:00:00.000Z',
          type: 'message',
          message: {
            id: `m-more-${at}`,
            ...message,
            ...(message.role === 'assistant' && {
              response: { id: `r${at}`, model: 'claude-opus-5-5', stopReason: 'end_turn' as const },
            }),
          },
        }),
      );
      return [HEAD, ...entries, ...added];
    });

describe('what a fold leaves where it is', () => {
  const plain = (messages: readonly object[], thinking: ThinkingRule = 'free') => {
    const planner = createFold({ afterRequests: 3, minSavingsTokens: 1 });
    const log = logWith(planner, messages);
    return { log, plan: planner.plan(contextFor(log.view, { thinking })) };
  };

  test.each([
    `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNever push to main.`,
    [
      {
        type: 'text',
        text: `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNever push to main.`,
      },
    ],
  ])('what a person answered in place of a result: %j', (result) => {
    const refused = round({ name: 'Bash', input: { command: 'git push' }, result, isError: true });
    const { log, plan } = plain([said('Mend it.'), ...rounds(3), ...refused, ...rounds(9)]);
    if (plan.kind !== 'edit') throw new Error(plan.kind);
    for (const [at, edit] of plan.edits.entries()) log.append(editEntry(edit, `fold-${at}`));
    expect(JSON.stringify(log.view.messages)).toContain('Never push to main.');
    expect(plan.edits.length).toBe(2);
  });

  test.each(['latest-turn', 'prefix-bound'] as const)(
    'the open turn, where a model wants its thinking back: %s',
    (thinking) => {
      const [reply, ...others] = rounds(12);
      const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' };
      const first = { ...reply, content: [thought, ...(reply?.content ?? [])] };
      const messages = [said('Mend it.'), first, ...others];
      expect(plain(messages, thinking).plan.kind).toBe('none');
      expect(plain(messages).plan.kind).toBe('edit');
    },
  );

  test('a place where something was taken away: the undo of that brings it back', () => {
    const planner = createFold({ afterRequests: 3, minSavingsTokens: 1 });
    const log = logWith(planner, [said('Mend it.'), ...rounds(5), said('Never touch b.ts!')]);
    const [person] = log.view.messages.at(-1)?.sources ?? [];
    for (const message of round()) log.say(asMessage(message));
    const last = log.view.messages.at(-1)?.sources.at(-1) as string;
    const span = { kind: 'replace-span', fromId: person as string, toId: last } as const;
    log.append(editEntry({ ...span, with: [], then: [] }, 'rewind'));
    for (const message of rounds(9)) log.say(asMessage(message));
    const plan = planner.plan(contextFor(log.view));
    if (plan.kind !== 'edit') throw new Error(plan.kind);
    for (const [at, edit] of plan.edits.entries()) log.append(editEntry(edit, `fold-${at}`));
    log.append(editEntry({ kind: 'undo', entryId: 'rewind' }, 'back'));
    expect(JSON.stringify(log.view.messages)).toContain('Never touch b.ts!');
  });

  test('where another model counts from now on, a planner decides as one that is fed the log then', () => {
    const [asked, fed] = [createFold({ afterRequests: 3 }), createFold({ afterRequests: 3 })];
    const log = logWith(asked, [said('Mend it.'), ...rounds(120)]);
    const context = (factor: number) => ({
      ...contextFor(log.view),
      sizeOf: (message: Message) => Math.ceil(ESTIMATOR.message(message) * factor),
    });
    asked.plan(context(0.5));
    for (const message of round()) log.say(asMessage(message));
    const projection = createProjection();
    for (const entry of log.entries) fed.observe(entry, projection.append(entry));
    const later = context(2);
    const plan = asked.plan(later);
    expect(plan.kind).toBe('edit');
    expect(plan).toEqual(fed.plan(later));
  });
});

const said_ = (view: View): unknown[] => view.messages.flatMap(personBlocks);

describe('laws of createFold', () => {
  test('what it makes is smaller, valid on every model, keeps what persons said, and is undone without a trace', () => {
    let folded = 0;
    fc.assert(
      fc.property(
        workingLog(),
        fc.constantFrom(...RULES),
        fc.boolean(),
        (entries, thinking, atUserTurn) => {
          const planner = createFold(EAGER);
          const log = watchedLog(planner);
          feed(log, entries);
          if (log.view.open) return;
          const before = log.view;
          const plan = planner.plan({ ...contextFor(before, { thinking }), atUserTurn });
          if (plan.kind !== 'edit') return;
          folded++;
          const made = plan.edits.map((edit, at) => editEntry(edit, `fold-entry-${at}`));
          for (const entry of made) log.append(entry);
          const after = log.view;
          expect(tokensOf(after.messages)).toBeLessThan(tokensOf(before.messages));
          expect(said_(after)).toEqual(said_(before));
          if (violations(before, thinking).length === 0)
            expect(violations(after, thinking)).toEqual([]);
          expect(project(log.entries).messages).toEqual(after.messages);
          for (const { id } of made.toReversed()) {
            log.append(editEntry({ kind: 'undo', entryId: id }, `undo-${id}`));
          }
          expect(log.view.messages).toEqual(before.messages);
          const again = planner.plan({ ...contextFor(log.view, { thinking }), atUserTurn });
          expect(again.kind).toBe('edit');
          if (again.kind !== 'edit') return;
          expect(textsOf(again.edits)).toEqual(textsOf(plan.edits));
          for (const [at, edit] of again.edits.entries())
            log.append(editEntry(edit, `again-${at}`));
        },
      ),
    );
    expect(folded).toBeGreaterThan(20);
  });

  test('a planner that was asked at every entry decides as one that is fed the whole log', () => {
    let folded = 0;
    fc.assert(
      fc.property(workingLog(), (entries) => {
        const [asked, fed] = [createFold(EAGER), createFold(EAGER)];
        const log = watchedLog(asked);
        const context = () => contextFor(log.view);
        feed(
          {
            ...log,
            append: (entry) => {
              log.append(entry);
              asked.plan(context());
            },
            get view() {
              return log.view;
            },
          },
          entries,
        );
        const projection = createProjection();
        for (const entry of log.entries) fed.observe(entry, projection.append(entry));
        const plan = asked.plan(context());
        if (plan.kind === 'edit') folded++;
        expect(fed.plan(context())).toEqual(plan);
      }),
    );
    expect(folded).toBeGreaterThan(20);
  });

  test('a turn costs what is new, however long the conversation is', () => {
    const planner = createFold({ minSavingsTokens: 1_000_000 });
    const log = watchedLog(planner);
    log.append(HEAD);
    log.say(asMessage(said('Mend it.')));
    let sized = 0;
    const sizeOf = (message: Message) => {
      sized++;
      return ESTIMATOR.message(message);
    };
    const perTurn: number[] = [];
    for (let turn = 0; turn < 400; turn++) {
      for (const message of round({ words: 'Now this.' })) log.say(message);
      const before = sized;
      planner.plan({ ...contextFor(log.view), sizeOf });
      perTurn.push(sized - before);
    }
    expect(Math.max(...perTurn.slice(200))).toBeLessThanOrEqual(Math.max(...perTurn.slice(0, 40)));
  });
});
