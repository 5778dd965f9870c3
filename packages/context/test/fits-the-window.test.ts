import type { Block, Request } from '@varve/messages';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { handlesIn } from '@varve/tool-storage/retention';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import {
  type Context,
  ContextError,
  type ContextEvent,
  type ContextOptions,
  createContext,
} from '../src/index.ts';
import { kindsOf, noWait, summarizer, summary } from './compacting-support.ts';
import {
  call,
  expectGrown,
  image,
  LATEST,
  OPENAI,
  output,
  rejection,
  says,
  text,
  violationsOf,
} from './support.ts';

const WINDOW = 200_000;
const windowOf = (id: string, windowTokens = WINDOW): ModelInfo => ({
  ...resolveModel(id).model,
  ...{ id, aliases: [], windowTokens },
});
const options = (model = LATEST, windowTokens = WINDOW): ContextOptions => ({
  ...{ model, models: [windowOf(model, windowTokens)] },
});
const stored = () => createToolStorage({ store: memoryStore(), sessionId: 'session' });

function sizeOf({ head, messages }: Request): number {
  const { message, head: ofHead } = createEstimator({
    family: resolveModel(head.model).model.tokenizer,
  });
  return messages.reduce((sum, each) => sum + message(each), ofHead(head));
}

const prose = (name: string, chars: number) => output(name, chars);
const document = (data: string, more = {}): Block => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
  ...more,
});
const contentDocument = (value: string): Block => ({
  type: 'document',
  source: { type: 'content', content: [{ type: 'text', text: value }] },
});
const found = (value: string): Block => ({
  type: 'search_result',
  title: 'Notes',
  source: 'https://example.com/notes',
  content: [{ type: 'text', text: value }],
});
const LONG = 1_000_000;
const pdf: Block = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
};

/** Refused with a text that says how large it is, and nothing has changed. */
async function expectRefused(context: Context, deed: () => Promise<unknown>): Promise<string> {
  const [entries, messages] = [context.entries(), context.view().messages];
  const error = await rejection(deed());
  expect(ContextError.is(error) && error.code).toBe('message-too-large');
  expect((error as Error).message).toMatch(/about \d+ tokens/);
  expect(context.entries()).toEqual(entries);
  expect(context.view().messages).toEqual(messages);
  return (error as Error).message;
}

// siblings looked for: each kind of block that holds text, several of a kind, small blocks and messages that are too large
// together only, media, results of one round, system prompt, tools, a head set later, a log that is gone on with
describe('K303: what goes out fits the window, or is refused', () => {
  const readable: readonly [string, readonly Block[]][] = [
    ['a text document', [document(prose('a', LONG))]],
    ['a document of text blocks', [contentDocument(prose('a', LONG))]],
    ['a search result', [found(prose('a', LONG))]],
    ['three search results', ['a', 'b', 'c'].map((name) => found(prose(name, LONG / 2)))],
    ['500 small text blocks', Array.from({ length: 500 }, (_, at) => text(prose(`b${at}`, 2_000)))],
    ['500 search results', Array.from({ length: 500 }, (_, at) => found(prose(`b${at}`, 2_000)))],
    [
      'all of it beside an image',
      [text('Go.'), image, document(prose('a', LONG)), text(prose('t', 150_000))],
    ],
  ];

  test.each(oneIn(3, readable))(
    '%s goes behind a preview that can be read back',
    async (_, blocks) => {
      for (const model of [LATEST, OPENAI]) {
        const storage = stored();
        const context = createContext({ ...options(model), storage });
        await context.user(blocks);
        const request = await context.request();
        expect(sizeOf(request)).toBeLessThan(WINDOW / 2);
        expect(violationsOf(request)).toEqual([]);
        const handles = handlesIn(JSON.stringify(request.messages));
        const back = await Promise.all(handles.map((handle) => storage.load(handle)));
        const all = JSON.stringify(back) + JSON.stringify(request.messages);
        for (const block of blocks)
          expect(all).toContain(JSON.stringify(lastLineOf(block)).slice(1, -1));
        await context.reply(says(text('Seen.')));
        await context.user('And now?');
        expectGrown(request, await context.request());
      }
    },
  );

  test.each(oneIn(2, readable))('without a storage %s is refused', async (_, blocks) => {
    const context = createContext(options());
    await context.user('Begin.');
    expect(await expectRefused(context, () => context.user(blocks))).toContain('Pass `storage`');
    expect(sizeOf(await context.request())).toBeLessThan(1_000);
  });

  test.each([
    ['150 images', Array.from({ length: 150 }, () => image)],
    [
      '150 images and a long text',
      [...Array.from({ length: 150 }, () => image), text(prose('a', LONG))],
    ],
    ['PDFs', Array.from({ length: 120 }, () => pdf)],
  ])('%s are refused, with and without a storage, and nothing is stored', async (_, blocks) => {
    for (const storage of [stored(), undefined]) {
      const context = createContext({ ...options(), storage });
      await context.user('Begin.');
      await expectRefused(context, () => context.user(blocks));
      expect(storage?.handles() ?? []).toEqual([]);
      expect(sizeOf(await context.request())).toBeLessThan(2_000);
    }
  });

  test.each([
    ['500 small messages', () => prose('a', 1_500)],
    ['150 messages with an image', () => [text('Look.'), image]],
  ] as const)('%s: refused once they leave no room, not before', async (_, said) => {
    for (const storage of [stored(), undefined]) {
      const context = createContext({ ...options(), storage });
      let added = 0;
      let refusal: unknown;
      while (added < 500 && !refusal) {
        refusal = await context.user(said()).then(
          () => void added++,
          (error: unknown) => error,
        );
      }
      expect(refusal).toMatchObject({ code: 'message-too-large' });
      const request = await context.request();
      expect(request.messages).toHaveLength(added);
      expect(sizeOf(request)).toBeLessThan(WINDOW);
      expect(sizeOf(request)).toBeGreaterThan(WINDOW * 0.9);
    }
  });

  const tools = (tokens: number) =>
    Array.from({ length: 100 }, (_, at) => ({
      name: `tool_${at}`,
      description: prose(`t${at}`, Math.floor((tokens * 2) / 100)),
      input_schema: { type: 'object' as const },
    }));

  test.each([
    ['a system prompt', { system: prose('s', 700_000) }, /System prompt \(about \d{6} tokens\)/],
    ['tools', { tools: tools(400_000) }, /tools \(\d{6}\)/],
  ])(
    '%s larger than the window: the message is refused and says so, until the head is smaller',
    async (_, head, words) => {
      const context = createContext({ ...options(), ...head });
      const said = await expectRefused(context, () => context.user('Go.'));
      expect(said).toMatch(words);
      expect(said).toContain('setHead');
      await context.setHead({ system: 'You fix tests.', tools: [] });
      await context.user('Go.');
      expect(sizeOf(await context.request())).toBeLessThan(1_000);
      await context.reply(says(text('Done.')));
      await context.user('More.');
      await context.setHead(head);
      expect(await expectRefused(context, () => context.request())).toMatch(words);
    },
  );

  test('results that are too large together only are cut, with a notice', async () => {
    for (const storage of [stored(), undefined]) {
      const events: ContextEvent[] = [];
      const onEvent = (event: ContextEvent) => void events.push(event);
      const context = createContext({ ...options(), storage, onEvent });
      await context.user('Go.');
      await context.request();
      const ids = Array.from({ length: 500 }, (_, at) => `k${at}`);
      await context.reply(says(...ids.map((id) => call(id))));
      await context.results(
        ids.map((toolUseId) => ({ toolUseId, content: prose(toolUseId, 1_500) })),
      );
      const request = await context.request();
      expect(sizeOf(request)).toBeLessThan(WINDOW);
      expect(JSON.stringify(request.messages)).toContain(storage ? 'k499' : 'were cut here');
      expect(violationsOf(request)).toEqual([]);
    }
  });

  test.each(readable.slice(0, 6))('as a result: %s', async (_, blocks) => {
    for (const storage of [stored(), undefined]) {
      const context = createContext({ ...options(), storage });
      await context.user('Go.');
      await context.request();
      await context.reply(says(call('a')));
      await context.results([{ toolUseId: 'a', content: blocks }]);
      const request = await context.request();
      expect(sizeOf(request)).toBeLessThan(WINDOW);
      expect(violationsOf(request)).toEqual([]);
    }
  });

  test('a history larger than the window is refused as a request, and goes on once it is compacted', async () => {
    const long = createContext({ ...options(LATEST, 1_000_000) });
    for (let at = 0; at < 12; at++) {
      await long.user(prose(`said ${at}`, 60_000));
      await long.request();
      await long.reply(says(text(prose(`answer ${at}`, 4_000))));
    }
    await long.user('Go on.');
    const entries = long.entries();
    const plain = createContext({ ...options(), entries, layers: [] });
    const said = await expectRefused(plain, () => plain.request());
    expect(said).toContain(`room for ${WINDOW - 1}`);
    expect(said).toContain('Pass `compaction`');
    const { summarize } = summarizer(summary());
    const events: ContextEvent[] = [];
    const context = createContext({
      ...{ ...options(), entries, compaction: { summarize, wait: noWait } },
      onEvent: (event) => void events.push(event),
    });
    expect(sizeOf(await context.request())).toBeLessThan(WINDOW);
    expect(kindsOf(events)).toContain('compact edited over-threshold');
  });

  test('`send` makes it smaller as if the provider had refused it, where nothing else did', async () => {
    const long = createContext({ ...options(LATEST, 1_000_000) });
    for (let at = 0; at < 12; at++) {
      await long.user(prose(`said ${at}`, 60_000));
      await long.request();
      await long.reply(says(text('Read.')));
    }
    await long.user('Go on.');
    const sent: number[] = [];
    const { summarize } = summarizer(summary());
    const given = (switches: object): ContextOptions => ({
      ...{ ...options(), entries: long.entries(), layers: [] },
      compaction: { summarize, wait: noWait, switches: () => switches },
      async call(request) {
        sent.push(sizeOf(request));
        return says(text('Done.'));
      },
    });
    const context = createContext(given({ reactiveOnly: true }));
    expect((await context.send()).content).toEqual([text('Done.')]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBeLessThan(WINDOW);
    const off = createContext(given({ enabled: false }));
    await expectRefused(off, () => off.send());
    expect(sent).toHaveLength(1);
    const byHand = createContext(given({ reactiveOnly: true }));
    expect(await byHand.recover(await rejection(byHand.request()))).toBe(true);
    expect(sizeOf(await byHand.request())).toBeLessThan(WINDOW);
  });

  test('where nobody knows the window, nothing is refused', async () => {
    const context = createContext({ model: 'pretend-1' });
    await context.user(Array.from({ length: 150 }, () => image));
    expect((await context.request()).messages[0]?.content).toHaveLength(150);
  });
});

/** The end of the text in a block; what is behind a preview has to be in the store. */
function lastLineOf(block: Block): string {
  const { content } = block as { content?: readonly Block[] };
  const { source } = block as { source?: { data?: string; content?: readonly Block[] } };
  const value = String(
    content?.[0]?.text ?? source?.content?.[0]?.text ?? source?.data ?? block.text,
  );
  return value.split('\n').at(-1) as string;
}
