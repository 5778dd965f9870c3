import { type Message, toolResults } from '@varve/messages';
import { createEstimator, resolveModel } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { handlesIn } from '@varve/tool-storage/retention';
import { describe, expect, test } from 'vitest';
import { type ContextOptions, createContext } from '../src/index.ts';
import { compactingScene, fillUp } from './compacting-support.ts';
import { smallWindow } from './small-window.ts';
import {
  BOUND,
  call,
  image,
  LATEST,
  output,
  rejection,
  says,
  text,
  violationsOf,
} from './support.ts';

const { message: sizeOf } = createEstimator({ family: resolveModel(LATEST).model.tokenizer });
const WINDOW = 200_000;

/** Text of so many characters that no two of are alike to a tokenizer. */
function dense(kind: 'cjk' | 'base64' | 'emoji' | 'prose', chars: number): string {
  const alphabets = {
    cjk: [...'的一是在不了有和人这中大为上个国我以要他时来用们'],
    base64: [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'],
    emoji: [...'😀🚀🧪🔥💾🧵🎯🪵'],
    prose: 'the parser reads a file and says what it finds there '.split(/(?<= )/),
  }[kind];
  let seed = 7;
  const parts: string[] = [];
  for (let length = 0; length < chars; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const part = alphabets[(seed >> 8) % alphabets.length] as string;
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, chars - (chars % 2));
}

const model = (): Partial<ContextOptions> => {
  const info = smallWindow(LATEST, WINDOW - 14_000);
  return { model: LATEST, models: [info] };
};
const stored = () => createToolStorage({ store: memoryStore(), sessionId: 'session' });
const tokensOf = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

// K303. Siblings looked for: each script, several messages that fit one by one, several blocks of one message, words beside a
// round, results of a round, bytes, a window of 8K, no storage, a window that nobody knows.
describe('K303: what a person pastes is measured in tokens', () => {
  test.each(['cjk', 'base64', 'emoji'] as const)(
    '193,500 characters of %s go behind a preview, can be read back, and the request fits',
    async (kind) => {
      const storage = stored();
      const context = createContext({ ...model(), model: LATEST, storage });
      const pasted = dense(kind, 193_500);
      expect(sizeOf({ role: 'user', content: [text(pasted)] })).toBeGreaterThan(90_000);
      await context.user([text(pasted), image]);
      const request = await context.request();
      expect(tokensOf(request.messages)).toBeLessThan(8_000);
      const [handle] = handlesIn(JSON.stringify(request.messages));
      expect(await storage.load(handle as string)).toBe(pasted);
      expect(request.messages[0]?.content.at(-1)).toEqual(image);
      expect(violationsOf(request)).toEqual([]);
    },
  );

  test('prose of 190,000 characters stays as long as there is room, then goes, message by message', async () => {
    const storage = stored();
    const context = createContext({ ...model(), model: LATEST, storage });
    const shown: number[] = [];
    for (let count = 0; count < 6; count++) {
      const { content } = await context.user(dense('prose', 190_000));
      shown.push((content[0] as { text: string }).text.length);
    }
    expect(shown[0]).toBe(190_000);
    expect(shown.at(-1)).toBeLessThan(10_000);
    expect(tokensOf((await context.request()).messages)).toBeLessThan(WINDOW / 2);
  });

  test('of several blocks only the largest go', async () => {
    const storage = stored();
    const context = createContext({ ...model(), model: LATEST, storage });
    const blocks = [dense('cjk', 30_000), dense('cjk', 110_000), 'Compare them.'].map(text);
    const { content } = await context.user(blocks);
    expect(content.map((block) => block === blocks[1])).toEqual([false, false, false]);
    expect(content[0]).toEqual(blocks[0]);
    expect((content[1] as { text: string }).text.length).toBeLessThan(10_000);
    expect(content[2]).toEqual(blocks[2]);
  });

  test('ordinary text is as it was', async () => {
    for (const chars of [0, 1_000, 40_000, 100_000]) {
      const context = createContext({ ...model(), model: LATEST, storage: stored() });
      const said = `Go. ${dense('prose', chars)}`;
      expect((await context.user(said)).content).toEqual([text(said)]);
    }
  });

  test('without a storage: refused with what to do, and nothing has changed', async () => {
    const context = createContext({ ...model(), model: LATEST });
    await context.user('Go.');
    const before = context.entries();
    const error = await rejection(context.user(dense('cjk', 193_500)));
    expect(error).toMatchObject({ code: 'message-too-large' });
    expect((error as Error).message).toContain('Pass `storage`');
    expect(context.entries()).toEqual(before);
    await context.user(dense('cjk', 60_000));
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('where nobody knows the window, a text without a storage stays', async () => {
    const context = createContext({ model: 'pretend-1' });
    const pasted = dense('cjk', 193_500);
    expect((await context.user(pasted)).content).toEqual([text(pasted)]);
  });

  test('the results of one round share a budget in tokens, too', async () => {
    for (const storage of [stored(), undefined]) {
      const context = createContext({ ...model(), model: LATEST, storage });
      await context.user('Go.');
      await context.request();
      await context.reply(says(call('a'), call('b'), call('c'), call('d')));
      const content = dense('cjk', 49_000);
      await context.results([{ toolUseId: 'a', content: new TextEncoder().encode(content) }]);
      await context.results(['b', 'c', 'd'].map((toolUseId) => ({ toolUseId, content })));
      const request = await context.request();
      expect(tokensOf(request.messages)).toBeLessThan(storage ? WINDOW / 2 : WINDOW);
      expect(violationsOf(request)).toEqual([]);
      const results = request.messages.flatMap(toolResults);
      expect(results.map(({ tool_use_id: id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  test('a tool whose results are exempt keeps them', async () => {
    const storage = createToolStorage({
      ...{ store: memoryStore(), sessionId: 's', tools: { bash: Number.POSITIVE_INFINITY } },
    });
    const context = createContext({ ...model(), model: LATEST, storage });
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    const content = dense('cjk', 120_000);
    const [message] = await context.results([{ toolUseId: 'a', content }]);
    expect(toolResults(message as Message)[0]?.content).toBe(content);
  });
});

// K302. Siblings looked for: what session-start hooks say, of 3,000 characters, 400 KB and 2 MB.
describe('K302: what is attached to a compaction counts', () => {
  test.each([3_000, 400_000, 2_000_000])('a hook that says %i characters', async (chars) => {
    for (const model of [LATEST, BOUND]) {
      const { context, events } = compactingScene(
        {
          hooks: {
            sessionStart: [{ name: 'talks', run: () => ({ context: output('hook', chars) }) }],
          },
        },
        { model, models: [smallWindow(model, 100_000)] },
      );
      await context.user('Fix the parser.');
      await fillUp(context, 3_000);
      const before = context.size().tokens;
      expect((await context.compact()).kind).toBe('compacted');
      expect(context.size().tokens).toBeLessThanOrEqual(before * 0.9);
      const isSaid = JSON.stringify(context.view().messages).includes('hook line 1');
      const isTold = events.some(
        (event) => event.kind === 'failed' && event.reason === 'no-room-for-attachments',
      );
      expect(isSaid || isTold).toBe(true); // part of it, or an event
    }
  });
});
