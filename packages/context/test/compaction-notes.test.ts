import { createSessionMemory, memoryNotes, type RunFork } from '@varve/session-memory';
import { describe, expect, test } from 'vitest';
import type { ContextNotes } from '../src/compaction/context-compaction.ts';
import { type Context, createContext } from '../src/index.ts';
import { compactingScene, fill, fillUp, kindsOf, summarizer } from './compacting-support.ts';
import { BOUND, LATEST, OPENAI, says, text, thinking, violationsOf } from './support.ts';

const GUIDANCE = '_What was asked for._';
const TEMPLATE = `# Task\n${GUIDANCE}\n`;

/** A child that writes down what it is told to. */
const writes =
  (line: () => string): RunFork =>
  async ({ runTool }) => {
    const input = { path: 'notes.md', old_str: GUIDANCE, new_str: `${GUIDANCE}\n${line()}` };
    runTool({ id: 'n1', name: 'Edit', input });
    return { kind: 'done' };
  };

/** A context with notes that are taken early. */
function notesScene(
  given: {
    model?: string;
    file?: ReturnType<typeof memoryNotes>;
    minSavings?: number;
    notesSavings?: number;
  } = {},
) {
  const { model = LATEST, file = memoryNotes('notes.md'), minSavings, notesSavings } = given;
  let context: Context | undefined;
  const memory = createSessionMemory({
    file,
    template: TEMPLATE,
    runFork: writes(() => 'A parser without recursion.'),
    thresholds: { firstTokens: 1_000, growthTokens: 1_000 },
    appendNote: (note) => context?.note(note),
  });
  const model_ = summarizer();
  const tail = { minTokens: 500, minTextMessages: 1 };
  const notes: ContextNotes = { memory, tail, minSavings: notesSavings };
  const { summarize } = model_;
  const scene = compactingScene({ summarize, notes, minSavings }, { model });
  context = scene.context;
  return { ...scene, memory, file, requests: model_.requests };
}

describe('a compaction with notes (C3, N2, N6)', () => {
  test.each([LATEST, BOUND, OPENAI])(
    '%s: notes are taken after replies, and stand in for a summary',
    async (model) => {
      const { context, memory, events, requests } = notesScene({ model });
      await context.user('Fix the parser.');
      await fill(context, 'k0');
      await fill(context, 'k1');
      await context.request();
      await context.reply(says(thinking('s1'), text('Fixed.')));
      await memory.settle();
      expect(await memory.notes()).toContain('without recursion');
      expect(JSON.stringify(context.entries())).toContain('notes-checkpoint');
      await context.user('Now the lexer.');
      await fillUp(context, 4_000, 50);
      events.length = 0;

      const request = await context.request();

      expect(requests).toEqual([]);
      expect(violationsOf(request)).toEqual([]);
      expect(JSON.stringify(request.messages)).toContain('A parser without recursion.');
      expect(JSON.stringify(request.messages)).toContain('Now the lexer.');
      const edit = context.entries().findLast(({ type }) => type === 'edit');
      expect(edit).toMatchObject({
        by: 'compact',
        receipt: { engine: 'notes', trigger: 'auto', attempt: expect.any(String) },
      });
      expect(kindsOf(events)).toEqual([
        'compaction-started',
        'compact edited over-threshold',
        'compaction-ended',
      ]);
      expect(memory.snapshot().cursorId).toBeUndefined();
    },
  );

  test('where there are none yet, a summary is written', async () => {
    const { context, memory, events, requests } = notesScene();
    await memory.close();
    await context.user('Fix the parser.');
    await fillUp(context);
    events.length = 0;
    await context.request();
    expect(kindsOf(events)[0]).toBe('session-memory idle no-notes');
    expect(requests).toHaveLength(1);
  });

  test('by hand notes come first, too, but for a focus', async () => {
    for (const [focus, engine] of [
      [undefined, 'notes'],
      ['the lexer', 'summary'],
    ] as const) {
      const { context, memory } = notesScene();
      await context.user('Fix the parser.');
      await fill(context, 'k0');
      await fill(context, 'k1');
      await context.request();
      await context.reply(says(text('Fixed.')));
      await memory.settle();
      await context.user('Now the lexer.');
      await fill(context, 'k2');
      expect(await context.compact({ focus })).toMatchObject({ receipt: { engine } });
    }
  });

  test('what is attached to notes has to fit below the threshold, else a summary is written', async () => {
    const { context, memory, options, requests, events } = notesScene();
    const big = {
      ...options,
      compaction: {
        ...(options.compaction as NonNullable<typeof options.compaction>),
        async restore({ messageId: id }: { messageId: string }) {
          const content = [text('x y z '.repeat(2_500))];
          return { messages: [{ id, role: 'user' as const, content }], restored: [] };
        },
      },
    };
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await fill(context, 'k1');
    await context.request();
    await context.reply(says(text('Fixed.')));
    await memory.settle();
    await context.user('Now the lexer.');
    await fillUp(context, 4_000, 50);
    const resumed = createContext({ ...big, entries: context.entries() });
    events.length = 0;
    const request = await resumed.request();
    expect(kindsOf(events).filter((kind) => !kind.includes('no-room'))).toEqual([
      'compaction-started',
      'compaction-ended',
      'compaction-started',
      'compact edited over-threshold',
      'compaction-ended',
    ]);
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(request.messages)).toContain('x y z');
    expect(violationsOf(request)).toEqual([]);
  });

  test.each([
    ['that of the compaction holds for notes, too', { minSavings: 0.9 }, 'not-smaller'],
    ['one of their own', { notesSavings: 0.9 }, 'not-smaller'],
    ['one of their own wins', { minSavings: 0.9, notesSavings: 0 }, 'notes'],
  ])('the least share to save: %s', async (_, given, came) => {
    const { context, memory, events } = notesScene(given);
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await fill(context, 'k1');
    await context.request();
    await context.reply(says(text('Fixed.')));
    await memory.settle();
    await context.user('Now the lexer.');
    await fill(context, 'k2');
    events.length = 0;
    const outcome = await context.compact();
    const engine = outcome.kind === 'compacted' ? outcome.receipt.engine : outcome.reason;
    const idle = kindsOf(events).filter((kind) => kind.startsWith('session-memory'));
    if (came === 'notes') expect([engine, idle]).toEqual(['notes', []]);
    else expect(idle).toEqual([`session-memory idle ${came}`]);
    expect(kindsOf(events).filter((kind) => kind === 'compaction-started')).toHaveLength(1);
  });

  test('what a memory throws reaches neither the turn nor the log, and a summary is written', async () => {
    const { requests, summarize } = summarizer();
    const fail = () => {
      throw new Error('memory');
    };
    const memory = { observe: fail, snapshot: fail, afterResponse: fail };
    const { context, events } = compactingScene({ summarize, notes: { memory } });
    await context.user('Fix the parser.');
    await fillUp(context);
    await context.request();
    expect(kindsOf(events)).toContain('session-memory idle error');
    expect(requests).toHaveLength(1);
  });

  test('the cursor is back after a restart', async () => {
    const file = memoryNotes('notes.md');
    const first = notesScene({ file });
    await first.context.user('Fix the parser.');
    await fill(first.context, 'k0');
    await fill(first.context, 'k1');
    await first.context.request();
    await first.context.reply(says(text('Fixed.')));
    await first.memory.settle();
    const memory = createSessionMemory({ file, template: TEMPLATE, runFork: writes(() => 'x') });
    const { options } = first;
    const compaction = {
      ...options.compaction,
      summarize: summarizer().summarize,
      notes: { memory },
    };
    const resumed = createContext({ ...options, entries: first.context.entries(), compaction });
    await memory.settle();
    await resumed.user('Now the lexer.');
    expect(memory.snapshot().cursorId).toBe(first.memory.snapshot().cursorId);
    expect(memory.snapshot().cursorId).toBeDefined();
  });
});

describe('note', () => {
  test('waits for no other call, is written once, and no model sees it', async () => {
    const lines: string[] = [];
    const log = {
      async append(...entries: readonly object[]) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        lines.push(...entries.map((entry) => JSON.stringify(entry)));
      },
    };
    let answer = () => {};
    const call = () =>
      new Promise<ReturnType<typeof says>>((resolve) => {
        answer = () => resolve(says(text('Done.')));
      });
    const { context } = compactingScene({}, { log, call });
    await context.user('Fix the parser.');
    const sending = context.send();
    await Promise.all([
      context.note({ by: 'me', data: { kind: 'mark', at: 1 } }),
      context.note({ by: 'me', data: { kind: 'mark', at: 2 } }),
    ]);
    while (!lines.join().includes('"at":2')) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer();
    await sending;
    expect(lines).toEqual(context.entries().map((entry) => JSON.stringify(entry)));
    expect(JSON.stringify(context.view())).not.toContain('mark');
  });
});
