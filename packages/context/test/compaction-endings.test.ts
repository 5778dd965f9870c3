import { type Entry, parseEntry, serializeEntry } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { type Context, ContextError, createContext } from '../src/index.ts';
import {
  compactingScene,
  fill,
  fillUp,
  kindsOf,
  summarizer,
  summary,
} from './compacting-support.ts';
import { BOUND, bytesOf, LATEST, OPENAI, rejection, says, text, violationsOf } from './support.ts';

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
const written = (context: Context): Entry[] =>
  context.entries().map((entry) => parseEntry(serializeEntry(entry)));
const outcomes = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.type === 'note' ? [(entry.data as { outcome?: string }).outcome] : [],
  );

async function filled(context: Context): Promise<void> {
  await context.user('Fix the parser. Never touch vendor/.');
  await fillUp(context);
}

describe('a compaction that is aborted (case 28)', () => {
  type Place = 'before-hook' | 'summary' | 'restore' | 'session-start-hook' | 'write';
  const places: readonly Place[] = [
    'before-hook',
    'summary',
    'restore',
    'session-start-hook',
    'write',
  ];

  test.each(places)(
    'at %s leaves the conversation as it was, and the next one works',
    async (place) => {
      let abort = new AbortController();
      const stop = new Error('Stop.');
      let armed: Place | undefined = place;
      const reach = (here: Place) => {
        if (armed === here) abort.abort(stop);
      };
      const hook = (here: Place) => ({ name: here, run: () => void reach(here) });
      const { context } = compactingScene(
        {
          summarize: async () => {
            reach('summary');
            return summary();
          },
          hooks: { before: [hook('before-hook')], sessionStart: [hook('session-start-hook')] },
          async restore({ signal }) {
            reach('restore');
            signal?.throwIfAborted();
            return { messages: [], restored: [] };
          },
        },
        {
          log: {
            async append(...entries) {
              if (entries.some((entry) => JSON.stringify(entry).includes('compaction-started'))) {
                reach('write');
              }
            },
          },
        },
      );
      await filled(context);
      const before = context.view().messages;
      const error = await rejection(context.request({ signal: abort.signal }));
      expect(error).toBe(stop);
      expect(context.view().messages).toEqual(before);
      expect(outcomes(written(context))).toEqual([undefined, 'aborted']);
      armed = undefined;
      abort = new AbortController();
      const request = await context.request({ signal: abort.signal });
      expect(JSON.stringify(request.messages)).toContain('The parser was read.');
      expect(violationsOf(request)).toEqual([]);
    },
  );

  test('by hand, too', async () => {
    const { context } = compactingScene();
    await filled(context);
    const before = JSON.stringify(context.entries());
    const error = await rejection(context.compact({ signal: AbortSignal.abort() }));
    expect(isAbort(error)).toBe(true);
    expect(JSON.stringify(context.entries())).toBe(before);
  });

  test('aborts do not count as failures', async () => {
    const { requests, summarize } = summarizer(async () => new Promise(() => {}));
    const { context } = compactingScene({ summarize });
    await filled(context);
    for (let time = 0; time < 5; time++) {
      const abort = new AbortController();
      const asked = context.request({ signal: abort.signal });
      setTimeout(() => abort.abort(), 1);
      expect(isAbort(await rejection(asked))).toBe(true);
    }
    expect(requests).toHaveLength(5);
  });
});

describe('case 31: what a person says while a summary is written', () => {
  test.each([
    { ending: 'a summary', end: () => summary() },
    {
      ending: 'a failure',
      end: () => {
        throw new ModelError('auth', 'No key.');
      },
    },
    { ending: 'an abort', end: undefined },
  ])('stays, once and in order, after $ending', async ({ end }) => {
    const abort = new AbortController();
    const { context } = compactingScene({
      fallback: 'none',
      async summarize() {
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (!end) abort.abort();
        return end?.() ?? summary();
      },
    });
    await filled(context);
    const request = context.request({ signal: abort.signal }).catch(() => undefined);
    const said = [context.user('First u-1.'), context.user('Then u-2.')];
    await request;
    await Promise.all(said);
    await context.request();
    const texts = context
      .view()
      .messages.flatMap(({ content }) => content.map((block) => block.text));
    expect(texts.filter((each) => each === 'First u-1.' || each === 'Then u-2.')).toEqual([
      'First u-1.',
      'Then u-2.',
    ]);
  });
});

describe('a log with a compaction', () => {
  test.each([LATEST, BOUND, OPENAI])('%s: goes on from every prefix of it', async (model) => {
    const { context, options } = compactingScene({ keepTokens: 500 }, { model });
    await filled(context);
    await fill(context, 'z0');
    await fillUp(context, 4_000, 50);
    await fill(context, 'z1');
    const entries = written(context);
    expect(entries.filter(({ type }) => type === 'edit').length).toBeGreaterThan(1);
    for (let length = 1; length <= entries.length; length++) {
      const prefix = entries.slice(0, length);
      const resumed = createContext({ ...options, entries: prefix });
      await resumed.closeRound('killed');
      if (resumed.view().messages.at(-1)?.role !== 'user') await resumed.user('Go on.');
      expect(violationsOf(await resumed.request())).toEqual([]);
    }
  });

  test('gives the same bytes and markers to a process that goes on from it, and to a fork', async () => {
    const { context, options } = compactingScene();
    await filled(context);
    await fill(context, 'z0');
    const resumed = createContext({ ...options, entries: written(context) });
    const fork = createContext({ ...options, entries: context.entries() });
    const [own, theirs, forked] = [
      await context.request(),
      await resumed.request(),
      await fork.request(),
    ];
    expect(bytesOf(theirs)).toEqual(bytesOf(own));
    expect(theirs.markers).toEqual(own.markers);
    expect(bytesOf(forked)).toEqual(bytesOf(own));
    expect(resumed.entries()).toEqual(context.entries());
    await fork.reply(says(text('Another way.')));
    await fork.compact();
    expect(bytesOf(await context.request())).toEqual(bytesOf(own));
  });

  test('case 30: an attempt that a dead process began is ended, once', async () => {
    const { context, options } = compactingScene();
    await filled(context);
    await context.request();
    const edit = context.entries().findIndex(({ type }) => type === 'edit');
    const cut = written(context).slice(0, edit);
    const lines: Entry[] = [];
    const log = { append: async (...entries: readonly Entry[]) => void lines.push(...entries) };
    const resumed = createContext({ ...options, entries: cut, log });
    await resumed.flush();
    expect(lines).toMatchObject([
      { type: 'note', by: 'compact', data: { kind: 'compaction-ended', outcome: 'interrupted' } },
    ]);
    const again = createContext({ ...options, entries: [...cut, ...lines] });
    expect(again.entries()).toHaveLength(cut.length + 1);
    expect(JSON.stringify(await again.request())).toContain('The parser was read.');
  });

  test('is written before the request that it is for; a log that refuses keeps it for the next call', async () => {
    const lines: Entry[] = [];
    let refuses: (entries: readonly Entry[]) => boolean = () => false;
    const log = {
      async append(...entries: readonly Entry[]) {
        if (refuses(entries)) throw new Error('disk full');
        lines.push(...entries);
      },
    };
    const { context } = compactingScene({}, { log });
    await filled(context);
    refuses = (entries) => entries.some(({ type }) => type === 'edit');
    const error = await rejection(context.request());
    expect(ContextError.is(error) && error.code).toBe('not-written');
    expect(lines.some(({ type }) => type === 'edit')).toBe(false);
    refuses = () => false;
    await context.request();
    expect(lines).toEqual(context.entries());
    expect(lines.filter(({ type }) => type === 'edit')).toHaveLength(1);
  });

  test('a log that refuses before a compaction lets nothing be replaced', async () => {
    let refuses = false;
    const log = { append: async () => (refuses ? Promise.reject(new Error('full')) : undefined) };
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize }, { log });
    await filled(context);
    refuses = true;
    const error = await rejection(context.request());
    expect(ContextError.is(error) && error.code).toBe('not-written');
    expect(requests).toEqual([]);
    refuses = false;
    await context.request();
    expect(requests).toHaveLength(1);
  });
});

describe('case 16: a head that fills the window alone', () => {
  test('is never compacted, and the reason says so', async () => {
    const { requests, summarize } = summarizer();
    const system = 'You fix tests. '.repeat(2_000);
    const { context, events } = compactingScene({ summarize }, { system });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await fill(context, 'k1');
    expect(requests).toEqual([]);
    expect(kindsOf(events)).toEqual([
      'compact idle irreducible-overhead',
      'compact idle irreducible-overhead',
    ]);
  });
});
