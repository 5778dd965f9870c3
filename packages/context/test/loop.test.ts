import { toolResults } from '@varve/messages';
import { handlesIn } from '@varve/tool-storage/retention';
import { describe, expect, test } from 'vitest';
import {
  BOUND,
  bytesOf,
  call,
  earlyClearing,
  earlyStorage,
  expectGrown,
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

const ROUNDS = 40;

describe('createContext around a loop', () => {
  test.each([BOUND, LATEST, OPENAI, UNKNOWN])(
    '%s: 40 rounds with large results are valid and grow but for announced edits',
    async (model) => {
      const storage = earlyStorage();
      const { context, events } = scene({ model, storage });
      await context.user('Fix the test.');
      const requests = [];
      for (let index = 0; index < ROUNDS; index++) {
        if (index % 10 === 9) {
          requests.push(await context.request());
          await context.reply(says(thinking(`s${index}`), text('Done.')));
          await context.user('And the next one.');
        }
        const size = index % 4 === 0 ? 20_000 : 900 + index * 40;
        const before = index % 3 === 0 ? [thinking(`t${index}`)] : [];
        requests.push(await round(context, { [`c${index}`]: output(`r${index}`, size) }, before));
      }
      requests.push(await context.request());
      expect(requests.flatMap(violationsOf)).toEqual([]);
      let announced = 0;
      // one plan a request: the event after the n-th request is about the change from n to n + 1
      for (const [index, event] of events.entries()) {
        const [before, after] = [requests[index - 1], requests[index]];
        if (before === undefined || after === undefined) continue;
        const changedFrom = event.kind === 'edited' ? event.changedFrom : Infinity;
        announced += event.kind === 'edited' ? 1 : 0;
        expectGrown(before, after, changedFrom);
      }
      expect(events.length).toBe(requests.length);
      // bound thinking stands behind every old result here, but where a person speaks
      expect(announced).toBeGreaterThanOrEqual(1);
      expect(announced).toBeLessThan(ROUNDS / 2);
    },
  );

  test.each([BOUND, LATEST, OPENAI, UNKNOWN])(
    '%s: its own layers clear 60 large results in a few valid steps',
    async (model) => {
      const { context, events } = scene({ model, layers: undefined });
      await context.user('Go.');
      const requests = [];
      for (let index = 0; index < 60; index++) {
        if (index % 10 === 9) {
          requests.push(await context.request());
          await context.reply(says(text('Done.')));
          await context.user('Go on.');
        }
        const before = index % 5 === 0 ? [thinking(`t${index}`)] : [];
        requests.push(await round(context, { a: output(`r${index}`, 12_000) }, before));
      }
      expect(requests.flatMap(violationsOf)).toEqual([]);
      const made = events.filter(({ kind }) => kind === 'edited');
      expect(made.length).toBeGreaterThanOrEqual(1);
      expect(made.length).toBeLessThanOrEqual(6);
      for (const entry of context.entries()) {
        if (entry.type !== 'edit') continue;
        expect(entry).toMatchObject({ by: 'microcompact', reason: expect.any(String) });
      }
    },
  );

  test('what was stored can be read back by the handle in its preview', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage });
    await context.user('Read it.');
    const whole = output('a', 20_000);
    await round(context, { a: whole });
    const { messages, head } = await context.request();
    const shown = String(toolResults(messages.at(-1) as never)[0]?.content);
    expect(shown.length).toBeLessThan(1_500);
    const [handle = ''] = handlesIn(shown);
    expect(await storage.load(handle)).toBe(whole);
    expect(head.tools.map(({ name }) => name)).toEqual(['bash', 'read_stored']);
    const note = context.entries().find(({ type }) => type === 'note');
    expect(note).toMatchObject({ by: 'tool-storage', data: { decisions: [{ handle }] } });
    const page = await storage.runReadTool({ handle, lines: [3, 3] });
    expect(page.content).toContain('a line 2 ');
  });

  test('the answer of the read tool goes in as it is', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage });
    await context.user('Read it.');
    await context.request();
    await context.reply(says(call('r', 'read_stored')));
    await context.results([{ toolUseId: 'r', content: output('page', 6_000) }]);
    const { messages } = await context.request();
    expect(toolResults(messages.at(-1) as never)[0]?.content).toBe(output('page', 6_000));
  });

  test('results of one round share a budget, however many calls bring them', async () => {
    const shownOf = async (parts: readonly (readonly string[])[]) => {
      const { context } = scene({ storage: earlyStorage() });
      await context.user('Go.');
      await context.request();
      await context.reply(says(...['a', 'b', 'c', 'd', 'e'].map((id) => call(id))));
      for (const ids of parts) {
        await context.results(
          ids.map((toolUseId) => ({ toolUseId, content: output(toolUseId, 3_900) })),
        );
      }
      return (await context.request()).messages.at(-1);
    };
    const charsOf = (message: unknown) =>
      toolResults(message as never).reduce((sum, { content }) => sum + String(content).length, 0);
    expect(charsOf(await shownOf([['a', 'b', 'c', 'd', 'e']]))).toBeLessThanOrEqual(12_000);
    // three fit, and the previews of the other two come on top: what is in the log stays as it is
    const oneByOne = charsOf(await shownOf([['a'], ['b'], ['c'], ['d'], ['e']]));
    expect(oneByOne).toBeLessThanOrEqual(12_000 + 2 * 1_000);
  });

  test('calls that are made at once take effect in the order in which they are made', async () => {
    const { context } = scene({
      storage: earlyStorage(),
      call: async ({ messages }) => says(text(`Answer to ${messages.length}.`)),
    });
    const user = context.user(output('huge', 30_000));
    const [, first] = await Promise.all([
      user,
      context.send(),
      context.user('two'),
      context.send(),
      context.user('three'),
    ]);
    expect(first.content).toEqual([text('Answer to 1.')]);
    const roles = context.view().messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  test('a huge text of a person is stored, and a small one beside it stays', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage });
    const huge = output('log', 30_000);
    const message = await context.user([text('Look at this log.'), text(huge)]);
    expect(message.content[0]).toEqual(text('Look at this log.'));
    const shown = (message.content[1] as { text: string }).text;
    expect(shown.length).toBeLessThan(1_500);
    expect(await storage.load(handlesIn(shown)[0] ?? '')).toBe(huge);
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('tells the size of the next request before and after a clearing', async () => {
    const { context, clock } = scene({ layers: [earlyClearing()] });
    await context.user('Go.');
    for (const id of ['a', 'b', 'c', 'd']) await round(context, { [id]: output(id, 2_000) });
    const before = context.size().tokens;
    clock.pass(2 * 3_600_000);
    await context.request();
    expect(context.size().tokens).toBeLessThan(before - 500);
  });

  test('asks again for the same bytes until something is added', async () => {
    const { context } = scene({ storage: earlyStorage() });
    await context.user('Go.');
    for (let index = 0; index < 8; index++)
      await round(context, { [`c${index}`]: output('r', 3_000) });
    const first = await context.request();
    expect(bytesOf(await context.request())).toEqual(bytesOf(first));
  });
});
