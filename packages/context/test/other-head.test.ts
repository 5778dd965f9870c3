import { type Block, type Entry, parseEntry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { compactingScene } from './compacting-support.ts';
import {
  BOUND,
  bytesOf,
  call,
  LATEST,
  OPENAI,
  output,
  round,
  says,
  scene,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const TOOLS = [{ name: 'bash', description: 'Runs it.', input_schema: { type: 'object' } }];
const isThought = ({ type }: Block) => type === 'thinking';
const editsOf = (entries: readonly Entry[]) => entries.filter(({ type }) => type === 'edit');

/** A thinking model's conversation; the last round has no results yet. */
async function thoughtfulLog(model: string): Promise<readonly Entry[]> {
  const { context } = scene({ model });
  await context.user('Go.');
  for (const id of ['a', 'b', 'c']) await round(context, { [id]: output(id, 900) }, [thinking(id)]);
  await context.request();
  await context.reply(says(thinking('d'), text('Two more.'), call('d'), call('e')));
  await context.results([{ toolUseId: 'e', content: 'out' }]);
  return context.entries();
}

describe('createContext with entries of another head', () => {
  test.each([
    { name: 'another model', model: BOUND, from: LATEST, given: {} },
    { name: 'a model of another provider', model: BOUND, from: OPENAI, given: {} },
    { name: 'a model in no table', model: UNKNOWN, from: BOUND, given: {} },
    { name: 'another system prompt', model: BOUND, from: BOUND, given: { system: 'You test.' } },
    { name: 'other tools', model: BOUND, from: BOUND, given: { tools: TOOLS } },
  ])(
    '$name: thinking that is bound to what came before goes, once, and the loop goes on',
    async ({ model, from, given }) => {
      const entries = await thoughtfulLog(from);
      const { context, events } = scene({ ...given, model, entries });
      await context.results([{ toolUseId: 'd', content: 'out' }]);
      const request = await context.request();
      expect(violationsOf(request)).toEqual([]);
      expect(request.messages.flatMap(({ content }) => content).some(isThought)).toBe(false);
      expect(JSON.stringify(request.messages)).toContain('Two more.');
      expect(events.find(({ layer }) => layer === 'context')).toMatchObject({
        ...{ kind: 'edited', reason: 'other-head' },
      });
      await context.reply(says(thinking('f'), text('Done.')));
      await context.user('More.');
      const next = await context.request();
      expect(violationsOf(next)).toEqual([]);
      expect(next.messages.flatMap(({ content }) => content).filter(isThought)).toHaveLength(1);
      const lines = context.entries().map(serializeEntry);
      const again = scene({ ...given, model, entries: lines.map(parseEntry) });
      expect(bytesOf(await again.context.request())).toEqual(bytesOf(next));
      expect(editsOf(again.context.entries())).toHaveLength(1);
    },
  );

  // siblings looked for: copies that a compaction keeps, messages of an edit of the caller's, each brought before the other model;
  // what a compaction asks of what was added since it was planned
  test('K305: thinking of another model goes from what an edit brought as well', async () => {
    const { context: asked } = compactingScene({ keepTokens: 300 });
    await asked.user('Go.');
    for (const id of 'abcdef') await round(asked, { [id]: output(id, 1_500) });
    await asked.request();
    await asked.reply(says(text('Done.')));
    await asked.user('More.');
    await round(asked, { g: output('g', 4_000) }, [thinking('g')]);
    expect(await asked.compact()).toMatchObject({ kind: 'compacted' });
    const thoughtsOf = (messages: readonly { readonly content: readonly Block[] }[]) =>
      messages.flatMap(({ content }) => content).filter(isThought).length;
    const kept = await asked.request();
    expect(thoughtsOf(kept.messages)).toBeGreaterThan(0);
    const { context } = scene({ model: BOUND, entries: asked.entries() });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(thoughtsOf(request.messages)).toBe(0);
  });

  test.each([
    { name: 'the same head', model: BOUND },
    { name: 'a model that binds no thinking', model: LATEST },
  ])('$name: nothing goes', async ({ model }) => {
    const entries = await thoughtfulLog(model === LATEST ? BOUND : model);
    const { context } = scene({ model, entries });
    await context.results([{ toolUseId: 'd', content: 'out' }]);
    const { messages } = await context.request();
    expect(messages.flatMap(({ content }) => content).filter(isThought)).toHaveLength(4);
    expect(editsOf(context.entries())).toEqual([]);
  });

  test('a message that holds thinking only is not left empty', async () => {
    const at = new Date(0).toISOString();
    const says = (id: string, role: 'user' | 'assistant', ...content: Block[]): Entry => ({
      id: `entry-${id}`,
      at,
      type: 'message',
      message: { id, role, content },
    });
    const head = { id: 'h', model: LATEST, system: [], tools: [], params: {} };
    const entries: Entry[] = [
      { id: 'entry-h', at, type: 'head', head },
      says('m1', 'user', text('Go.')),
      says('m2', 'assistant', thinking('s'), thinking('t')),
      says('m3', 'assistant', text('Done.')),
      says('m4', 'user', text('More.')),
    ];
    const { context } = scene({ model: BOUND, entries });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).not.toContain('signature');
  });

  test('a log that does not say what its replies answered counts as one of its head', async () => {
    const entries = (await thoughtfulLog(BOUND)).map((entry) => {
      if (entry.type !== 'message' || !entry.message.response) return entry;
      const { request: _, ...response } = entry.message.response;
      return { ...entry, message: { ...entry.message, response } };
    });
    for (const [system, kept] of [
      ['You fix tests.', 4],
      ['You test.', 0],
    ] as const) {
      const { context } = scene({ model: BOUND, system, entries });
      await context.results([{ toolUseId: 'd', content: 'out' }]);
      const { messages } = await context.request();
      expect(messages.flatMap(({ content }) => content).filter(isThought)).toHaveLength(kept);
    }
  });
});
