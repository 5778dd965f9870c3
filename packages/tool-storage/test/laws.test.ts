import { createProjection, type Entry, type Message, project } from '@varve/messages';
import { createEstimator } from '@varve/tokens/estimate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createToolStorage, memoryStore, offloadMessages } from '../src/index.ts';

const estimate = createEstimator().text;
const at = '2026-01-02T03:04:05.000Z';

// Results of all sizes about small limits, some with ids that come again, some of an exempt tool, some with media.
const words = fc.constantFrom(
  'alpha ',
  'beta\n',
  'error: x\n',
  '漢字',
  '<persisted-output>',
  '{"a":1}',
  '\x1b[1m',
  '\ud83d',
  '😀',
);
const text = fc.oneof(
  fc.array(words, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.tuple(words, fc.integer({ min: 0, max: 1_500 })).map(([word, count]) => word.repeat(count)),
);
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const content = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.array(
    fc.oneof(
      text.map((value) => ({ type: 'text', text: value.trim() === '' ? 'x' : value })),
      fc.constant(image),
    ),
    { maxLength: 3 },
  ),
);
const round = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'e', 'a/b', 'k0'),
    name: fc.constantFrom('bash', 'read', 'read_stored'),
    content,
  }),
  { minLength: 1, maxLength: 4, selector: ({ id }) => id },
);
const ask: Message = { id: 'ask', role: 'user', content: [{ type: 'text', text: 'Fix it.' }] };
const session = fc.array(round, { maxLength: 6 }).map((rounds) => [
  ask,
  ...rounds.flatMap((results, index): Message[] => [
    {
      id: `a${index}`,
      role: 'assistant',
      content: results.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })),
    },
    {
      id: `u${index}`,
      role: 'user',
      content: results.map(({ id, content: value }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: value,
      })),
    },
  ]),
]);

const options = (): Parameters<typeof createToolStorage>[0] => ({
  store: memoryStore(),
  sessionId: 's',
  threshold: 1_500,
  roundChars: 4_000,
  tools: { read: Number.POSITIVE_INFINITY },
  preview: { maxChars: 300 },
});

const tokensOf = (value: unknown, count: (text: string) => number): number =>
  typeof value === 'string'
    ? count(value)
    : (value as { text?: string }[]).reduce((sum, { text: piece = '' }) => sum + count(piece), 0);

const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content: blocks }) => blocks.filter(({ type }) => type === 'tool_result'));

async function stepwise(messages: readonly Message[], storage = createToolStorage(options())) {
  let shown: readonly Message[] = [];
  for (let end = 1; end <= messages.length; end++) {
    shown = (await storage.offloadMessages(messages.slice(0, end))).messages;
  }
  return { shown, storage };
}

/** Such results come without them, whatever their size. */
const hasEscapes = (value: unknown): boolean =>
  /\\u(?:00[01][0-9a-f]|007f)|\\[bfr]|[\u007f-\u009f]/.test(JSON.stringify(value));
const STORED = /<persisted-output handle=/;

describe('createToolStorage (laws)', () => {
  test('every call keeps its result, in order, and nothing but the content of results changes; the input is untouched', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const before = JSON.stringify(messages);
        const { messages: shown } = await offloadMessages(messages, options());
        const skeleton = (list: readonly Message[]) =>
          list.map((message) => ({
            ...message,
            content: message.content.map((block) =>
              block.type === 'tool_result' ? { ...block, content: '' } : block,
            ),
          }));
        expect(skeleton(shown)).toEqual(skeleton(messages));
        expect(JSON.stringify(messages)).toBe(before);
      }),
    );
  });

  test('nothing grows in tokens, by estimate or by bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        session,
        fc.constantFrom(estimate, createEstimator({ family: 'crude' }).text),
        async (messages, sizeOf) => {
          const { messages: shown } = await offloadMessages(messages, { ...options(), sizeOf });
          const [before, after] = [resultsOf(messages), resultsOf(shown)];
          for (const [index, block] of after.entries()) {
            // Blocks were counted as the text one can read of them.
            const whole = before[index]?.content;
            const textBefore =
              typeof whole === 'string'
                ? whole
                : (whole as { text?: string }[]).map((piece) => piece.text ?? '[image]').join('\n');
            if (block === before[index]) continue;
            const size = tokensOf(block.content, sizeOf);
            // what only lost its escapes may round to the same
            if (!JSON.stringify(block.content).includes('<persisted-output'))
              expect(size).toBeLessThanOrEqual(
                Math.max(sizeOf(textBefore), tokensOf(whole, sizeOf)),
              );
            else expect(size).toBeLessThan(sizeOf(textBefore));
          }
        },
      ),
    );
  });

  test('exempt results, media and small results are the same objects', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const { messages: shown } = await offloadMessages(messages, {
          ...options(),
          roundChars: Number.POSITIVE_INFINITY,
        });
        for (const [at, message] of shown.entries()) {
          const calls = shown[at - 1]?.content ?? [];
          for (const [index, block] of message.content.entries()) {
            const isFree = calls[index]?.name === 'bash' && JSON.stringify(block).length > 200;
            if (
              message.role === 'assistant' ||
              !(isFree || hasEscapes(messages[at]?.content[index]))
            )
              expect(block).toBe(messages[at]?.content[index]);
          }
        }
      }),
    );
  });

  test('whatever is shown in place of a result can be read back whole', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const storage = createToolStorage(options());
        const { outcomes, messages: shown } = await storage.offloadMessages(messages);
        const changed = resultsOf(messages).filter((block, index) => {
          const now = JSON.stringify(resultsOf(shown)[index]);
          return resultsOf(shown)[index] !== block && (!hasEscapes(block) || STORED.test(now));
        });
        expect(outcomes).toHaveLength(changed.length);
        for (const [index, outcome] of outcomes.entries()) {
          expect(outcome.kind).toBe('stored');
          if (outcome.kind === 'stored')
            expect(await storage.load(outcome.handle)).toEqual(changed[index]?.content);
        }
      }),
    );
  });

  test('fed at once is fed stepwise, and the plain function is the layer', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const { shown, storage } = await stepwise(messages);
        const once = await offloadMessages(messages, options());
        expect(shown).toEqual(once.messages);
        const layer = createToolStorage(options());
        for (const [index, message] of messages.entries()) {
          const names = new Map(
            messages[index - 1]?.content.map((block) => [block.id, String(block.name)]),
          );
          const outputs = resultsOf([message]).map((block) => ({
            toolUseId: String(block.tool_use_id),
            toolName: names.get(block.tool_use_id) ?? '',
            content: block.content as string,
          }));
          const outcomes = await layer.offloadRound(outputs);
          expect(outcomes.map((outcome) => outcome.content)).toEqual(
            resultsOf([once.messages[index] as Message]).map((block) => block.content),
          );
        }
        expect(layer.decisions()).toEqual(storage.decisions());
      }),
    );
  });

  test('what is shown is left alone by a second pass, in the same storage and after a restart from the log', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const { shown, storage } = await stepwise(messages);
        expect((await storage.offloadMessages(shown)).messages).toBe(shown);
        const restarted = createToolStorage({ ...options(), threshold: 100, roundChars: 200 });
        for (const message of shown)
          restarted.observe({ id: message.id, at, type: 'message', message });
        expect((await restarted.offloadMessages(shown)).messages).toBe(shown);
      }),
    );
  });

  test('the whole history run again after a restart gives the same bytes, also with other limits', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const { entries, view } = await record(messages);
        const restarted = createToolStorage({
          ...options(),
          threshold: 100,
          roundChars: 200,
          preview: { maxChars: 900 },
        });
        for (const entry of entries) restarted.observe(entry);
        const again = await restarted.offloadMessages(messages);
        expect(JSON.stringify(again.messages)).toBe(JSON.stringify(view));
        expect(restarted.takeNote()).toBeUndefined();
      }),
    );
  });

  test('appending what was offloaded changes nothing before it', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (messages) => {
        const { entries } = await record(messages);
        const projection = createProjection();
        let before = 0;
        for (const entry of entries) {
          const view = projection.append(entry);
          expect(view.changedFrom).toBeGreaterThanOrEqual(Math.min(before, view.messages.length));
          before = view.messages.length;
        }
        expect(project(entries).messages.length).toBe(before);
      }),
    );
  });

  test('a fork and its parent do not see what the other does', async () => {
    await fc.assert(
      fc.asyncProperty(session, session, session, async (shared, inParent, inFork) => {
        const { storage: parent } = await stepwise(shared);
        const fork = parent.fork({ sessionId: 'fork' });
        const frozen = JSON.stringify(parent.decisions());
        await fork.offloadMessages(structuredClone(inFork));
        expect(JSON.stringify(parent.decisions())).toBe(frozen);
        const forkDecisions = JSON.stringify(fork.decisions());
        await parent.offloadMessages(structuredClone(inParent));
        expect(JSON.stringify(fork.decisions())).toBe(forkDecisions);
        const again = await fork.offloadMessages(structuredClone(shared));
        expect(again.messages).toEqual(
          (await parent.offloadMessages(structuredClone(shared))).messages,
        );
      }),
    );
  });
});

/** A session as a log: before each message with results the note with what was decided. */
async function record(
  messages: readonly Message[],
): Promise<{ entries: Entry[]; view: Message[] }> {
  const storage = createToolStorage(options());
  const entries: Entry[] = [];
  const view: Message[] = [];
  for (const [index, message] of messages.entries()) {
    const { messages: shown } = await storage.offloadMessages(messages.slice(0, index + 1));
    const data = storage.takeNote();
    const logged = shown[index] ?? message;
    if (data !== undefined)
      entries.push({ id: `n${index}`, at, type: 'note', by: 'tool-storage', data });
    entries.push(
      JSON.parse(
        JSON.stringify({ id: `e${index}`, at, type: 'message', message: logged }),
      ) as Entry,
    );
    view.push(logged);
  }
  return { entries, view };
}
