import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { ContextError, createContext } from '../src/index.ts';
import {
  compactingScene,
  editsOf,
  fill,
  fillUp,
  kindsOf,
  noWait,
  summarizer,
} from './compacting-support.ts';
import { smallWindow } from './small-window.ts';
import {
  BOUND,
  call,
  LATEST,
  rejection,
  says,
  scene,
  text,
  thinking,
  violationsOf,
} from './support.ts';

describe('compact (C3)', () => {
  test('compacts by hand at any size, with a focus, also where the automatic one is off', async () => {
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize, switches: () => ({ auto: false }) });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await context.request();
    await context.reply(says(text('Fixed.')));
    const outcome = await context.compact({ focus: 'the lexer' });
    expect(outcome).toMatchObject({
      kind: 'compacted',
      summary: expect.stringContaining('The parser was read.'),
      receipt: { trigger: 'manual', reason: 'manual', attempt: expect.any(String) },
    });
    expect(JSON.stringify(requests[0]?.messages.at(-1))).toContain('the lexer');
    const [edit] = editsOf(context.entries());
    expect(outcome).toMatchObject({ receipt: edit?.receipt });
    await context.user('And the lexer?');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test.each([
    { direction: 'from', kept: 'question 0', gone: 'question 2' },
    { direction: 'up-to', kept: 'question 2', gone: 'question 0' },
  ] as const)(
    'compacts one side of a message, $direction it, and the other side stays (C10)',
    async ({ direction, kept, gone }) => {
      const { context, events } = compactingScene({ switches: () => ({ auto: false }) });
      for (const at of [0, 1, 2]) {
        await context.user(`question ${at}`);
        await fill(context, `k${at}`);
        await context.request();
        await context.reply(says(text(`answer ${at}`)));
      }
      const before = context.view().messages;
      const pivot = before.find(({ content }) => JSON.stringify(content).includes('question 1'));
      const outcome = await context.compact({ direction, pivot: pivot?.id });
      expect(outcome).toMatchObject({
        kind: 'compacted',
        receipt: { reason: `partial-${direction}` },
      });
      expect(kindsOf(events)).toContain(`compact edited partial-${direction}`);
      const words = JSON.stringify(
        context.view().messages.filter(({ origin }) => origin?.kind !== 'summary'),
      );
      expect([words.includes(kept), words.includes(gone)]).toEqual([true, false]);
      if (direction === 'from') expect(context.view().messages[0]).toBe(before[0]);
      await context.user('And now?');
      expect(violationsOf(await context.request())).toEqual([]);
      const [edit] = context.entries().filter(({ type }) => type === 'edit');
      await context.undo(edit?.id as string);
      expect(context.view().messages.slice(0, before.length)).toEqual(before);
    },
  );

  test('one of both options alone is refused, and a message that is not there is nothing to compact', async () => {
    const { context } = compactingScene();
    await context.user('Go.');
    await fill(context, 'k');
    for (const [given, words] of [
      [{ direction: 'from' }, 'Expected `pivot` to be a text'],
      [{ pivot: 'message-1' }, "Expected `direction` to be one of 'from', 'up-to'"],
      [{ direction: 'both', pivot: 'message-1' }, 'got `both`'],
      [{ focus: 5 }, 'Expected `focus` to be a text'],
    ] as const) {
      await expect(context.compact(given as never)).rejects.toThrow(words);
    }
    const given = { direction: 'from', pivot: 'nobody' } as const;
    expect(await context.compact(given)).toMatchObject({ reason: 'nothing-to-compact' });
  });

  test.each([
    { name: 'an empty conversation', reason: 'nothing-to-compact', act: async () => {} },
    {
      name: 'calls that wait',
      reason: 'round-open',
      async act(context: ReturnType<typeof createContext>) {
        await context.user('Go.');
        await context.request();
        await context.reply(says(call('k')));
      },
    },
  ])('fails on $name, and leaves no note of it', async ({ act, reason }) => {
    const { context } = compactingScene();
    await act(context);
    const before = JSON.stringify(context.entries());
    expect(await context.compact()).toEqual({ kind: 'failed', reason });
    expect(JSON.stringify(context.entries())).toBe(before);
  });

  test('is off where compaction is, and not there without the option', async () => {
    const { context } = compactingScene({ switches: () => ({ enabled: false }) });
    await context.user('Fix the parser.');
    expect(await context.compact()).toEqual({ kind: 'failed', reason: 'disabled' });
    const { context: plain } = scene();
    const error = await rejection(plain.compact());
    expect(ContextError.is(error) && error.code).toBe('no-compaction');
  });

  test('a failure by hand does not count for the automatic one', async () => {
    const { requests, summarize } = summarizer(new ModelError('auth', 'No key.'));
    const { context } = compactingScene({ summarize, fallback: 'none' });
    await context.user('Fix the parser.');
    await fillUp(context);
    for (let time = 0; time < 4; time++) await context.compact();
    await context.request();
    expect(requests).toHaveLength(5);
  });

  test('a reply with thinking to a request from before it is refused where thinking is bound to that', async () => {
    for (const [model, isRefused] of [
      [BOUND, true],
      [LATEST, false],
    ] as const) {
      const { context } = compactingScene({}, { model });
      await context.user('Fix the parser.');
      await fillUp(context, 3_000);
      await context.request();
      await context.compact();
      const reply = context.reply(says(thinking('s'), text('Fixed.')));
      if (!isRefused) {
        await reply;
        continue;
      }
      const error = await rejection(reply);
      expect(ContextError.is(error) && error.code).toBe('stale-reply');
      await context.request();
      await context.reply(says(thinking('s'), text('Fixed.')));
    }
  });
});

describe('what goes around a compaction (C8, C14, C20)', () => {
  test('hooks, what is restored, what hooks want the model to know, and the clean-up', async () => {
    const seen: string[] = [];
    const { requests, summarize } = summarizer();
    const { context, events } = compactingScene({
      summarize,
      threadId: 'thread-7',
      hooks: {
        before: [
          {
            name: 'rules',
            run: ({ threadId, trigger }) => {
              seen.push(`before ${threadId} ${trigger}`);
              return { instructions: 'Name every file.', notice: 'Compacting.' };
            },
          },
        ],
        sessionStart: [{ name: 'branch', run: () => ({ context: 'On branch lexer.' }) }],
        after: [{ name: 'log', run: ({ outcome }) => void seen.push(`after ${outcome}`) }],
      },
      async restore({ messageId, kept }) {
        seen.push(`restore ${kept.length}`);
        const content = [text('src/lexer.ts as it is now')];
        const message = { id: messageId, role: 'user', content } as const;
        return { messages: [message], restored: [{ path: 'src/lexer.ts', whole: true }] };
      },
      cleanUp: {
        'file-reads': ({ restoredFiles, thread }) => {
          seen.push(`clean ${restoredFiles.join()} ${thread}`);
        },
        recall() {
          throw new Error('recall');
        },
      },
    });
    await context.user('Fix the parser.');
    await fillUp(context);
    events.length = 0;
    const request = await context.request();
    expect(seen).toEqual([
      'before thread-7 auto',
      'restore 1',
      'clean src/lexer.ts main',
      'after compacted',
    ]);
    expect(JSON.stringify(requests[0]?.messages.at(-1))).toContain('Name every file.');
    const sent = JSON.stringify(request.messages);
    const places = ['The parser was read', 'src/lexer.ts as it is now', 'On branch lexer.'].map(
      (each) => sent.indexOf(each),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(violationsOf(request)).toEqual([]);
    expect(kindsOf(events)).toEqual([
      'hook-started',
      'notice',
      'compaction-started',
      'hook-started',
      'compact edited over-threshold',
      'compact failed clean-up-threw',
      'hook-started',
      'compaction-ended',
    ]);
    const [edit] = editsOf(context.entries());
    const tokensAfter = Number(edit?.receipt?.tokensAfter);
    expect(Math.abs(tokensAfter - context.size().tokens)).toBeLessThan(tokensAfter * 0.05);
  });

  test('what cannot be restored, or has no room, is said, and the compaction stands', async () => {
    for (const [restore, reason] of [
      [() => Promise.reject(new Error('disk')), 'restore-threw'],
      [
        async ({ messageId: id }: { messageId: string }) => ({
          messages: [{ id, role: 'user' as const, content: [text('x y z '.repeat(30_000))] }],
          restored: [],
        }),
        'no-room-for-attachments',
      ],
    ] as const) {
      const { context, events } = compactingScene({ restore });
      await context.user('Fix the parser.');
      await fillUp(context);
      await context.request();
      expect(kindsOf(events)).toContain(`compact failed ${reason}`);
      expect(editsOf(context.entries())).toHaveLength(1);
      expectSavings(context.entries());
    }
  });

  // siblings looked for: `attach` at the doors of compact, a storage that cannot list, notes in place of a summary
  test('a restore that stalls ends with an abort, and nothing was compacted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const restore = () => {
      setTimeout(() => controller.abort(reason), 5);
      return new Promise<never>(() => {});
    };
    const { context } = compactingScene({ restore });
    await context.user('Fix the parser.');
    await fillUp(context);
    const done = context.compact({ signal: controller.signal });
    expect(await done.catch((error: unknown) => error)).toBe(reason);
    expect(editsOf(context.entries())).toHaveLength(0);
  });

  test('what hooks want the model to know, and has no room, is said, and the compaction stands', async () => {
    const run = () => ({ context: 'x y z '.repeat(30_000) });
    const { context, events } = compactingScene({
      hooks: { sessionStart: [{ name: 'all', run }] },
    });
    await context.user('Fix the parser.');
    await fillUp(context);
    await context.request();
    expect(kindsOf(events)).toContain('compact failed no-room-for-attachments');
    expect(editsOf(context.entries())).toHaveLength(1);
    expectSavings(context.entries());
  });

  test("a sub-agent's compaction leaves the state of the session alone", async () => {
    const cleaned: string[] = [];
    const { context } = compactingScene({
      switches: () => ({ source: 'sub-agent' }),
      cleanUp: {
        'prompt-sections': () => void cleaned.push('prompt-sections'),
        'file-reads': ({ thread }) => void cleaned.push(`file-reads ${thread}`),
      },
    });
    await context.user('Fix the parser.');
    await fillUp(context);
    await context.request();
    expect(cleaned).toEqual(['file-reads sub-agent']);
  });

  test('options that make no sense are refused at once', () => {
    const { summarize } = summarizer();
    const options = { model: LATEST, models: [smallWindow(LATEST, 4_000)] };
    const compaction = { summarize, keepTokens: -1, wait: noWait };
    expect(() => createContext({ ...options, compaction })).toThrow(RangeError);
  });
});

/** What is attached and what hooks said counts (K302). */
function expectSavings(entries: Parameters<typeof editsOf>[0]): void {
  const { tokensBefore, tokensAfter } = editsOf(entries)[0]?.receipt ?? {};
  expect(Number(tokensAfter)).toBeLessThanOrEqual(Number(tokensBefore) * 0.9);
}

// siblings looked for: summaries and notes as the way, ids that the log has, ids twice, none, text as content, what cannot be
// read as messages, a pair as a whole
describe('K302: what `restore` brings never costs the summary', () => {
  const use = { type: 'tool_use', id: 'c', name: 'bash', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'c', content: 'x' };
  const said = (content: unknown, id?: string) => ({ role: 'user', content, ...(id && { id }) });
  const asks = { role: 'assistant', content: [use] };

  test.each<[string, unknown[], number]>([
    ['a result without its call', [said([result], 'r'), said([text('Plan.')], 'p')], 1],
    ['a call without its result', [asks], 0],
    ['no content', [said([], 'r')], 0],
    ['blank text', [said([text(' ')], 'r'), said('Plan.')], 1],
    ['a pair', [asks, said([result])], 2],
    ['text as content, without an id', [said('Plan.')], 1],
    ['ids of the log, twice', [said('Plan.', 'message-2'), said('Files.', 'message-2')], 2],
  ])('%s', async (_, messages, shown) => {
    const { context, events } = compactingScene({
      restore: async () => ({ messages, restored: [] }) as never,
    });
    await context.user('Fix the parser.');
    for (let time = 0; time < 2; time++) {
      await fillUp(context);
      expect(await context.compact()).toMatchObject({ kind: 'compacted' });
      const edit = editsOf(context.entries()).at(-1)?.edit;
      expect(edit?.kind === 'replace-span' && edit.then).toHaveLength(shown);
      expect(violationsOf(await context.request())).toEqual([]);
      await context.reply(says(text('Going on.')));
      await context.user('Go on.');
    }
    const isTold = kindsOf(events).includes('compact failed restored-unfit');
    expect(isTold).toBe(shown < messages.length);
  });

  test.each([null, {}, { messages: 5 }, { messages: [null] }, { messages: 'text' }])(
    'what is no restoration is said, and the summary stands: %j',
    async (given) => {
      const { context, events } = compactingScene({ restore: async () => given as never });
      await context.user('Fix the parser.');
      await fillUp(context);
      expect(await context.compact()).toMatchObject({ kind: 'compacted' });
      expect(kindsOf(events)).toContain('compact failed restore-threw');
    },
  );
});
