import {
  type Entry,
  type PlanContext,
  parseEntry,
  type Request,
  serializeEntry,
  toolResults,
} from '@varve/messages';
import { memoryStore } from '@varve/tool-storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context, Layer } from '../src/index.ts';
import {
  BOUND,
  bytesOf,
  CLEARED_RESULT,
  call,
  earlyStorage,
  LATEST,
  OPENAI,
  output,
  rejection,
  round,
  says,
  scene,
  text,
  thinking,
  violationsOf,
} from './support.ts';

const read = (entries: readonly Entry[]) => entries.map(serializeEntry).map(parseEntry);

/** Tells what planners are told. */
function listener() {
  const told: PlanContext[] = [];
  const layer: Layer = {
    name: 'listener',
    planner: {
      observe() {},
      plan(context) {
        told.push(context);
        return { kind: 'none', reason: 'listens' };
      },
    },
  };
  return { layer, told };
}

async function editFirst(context: Context): Promise<void> {
  const id = context.view().messages[0]?.sources[0] ?? '';
  const words = { id: `${id}+`, role: 'user', content: [text(`Go, ${id}.`)] } as const;
  const edit = { kind: 'replace-span', fromId: id, toId: id, with: [words], then: [] } as const;
  await context.edit([edit], { by: 'person', reason: 'clear' });
}

describe('createContext with entries', () => {
  test.each([BOUND, LATEST, OPENAI])('%s: goes on from every prefix of a log', async (model) => {
    const store = memoryStore();
    const live = scene({ model, storage: earlyStorage({ store }) });
    const lengths: number[] = [];
    const requests = [];
    await live.context.user('Go.');
    for (let index = 0; index < 10; index++) {
      lengths.push(live.context.entries().length);
      const before = index % 3 === 0 ? [thinking(`t${index}`)] : [];
      const outputs = { a: output(`a${index}`, 3_000), b: output(`b${index}`, 6_000) };
      requests.push(await round(live.context, outputs, before));
    }
    const all = live.context.entries();
    for (let length = 0; length <= all.length; length++) {
      const { context } = scene({
        model,
        storage: earlyStorage({ store }),
        entries: read(all.slice(0, length)),
      });
      const at = lengths.indexOf(length);
      if (at < 0) {
        await context.closeRound('killed');
        await context.user('Go on.');
        expect(violationsOf(await context.request())).toEqual([]);
        continue;
      }
      const request = await context.request();
      expect(bytesOf(request)).toEqual(bytesOf(requests[at] as never));
      expect(request.markers).toEqual(requests[at]?.markers);
    }
  });

  test('a log of another model or other tools gets a new head, the same options do not', async () => {
    const first = scene();
    await first.context.user('Go.');
    const entries = first.context.entries();
    expect(scene({ entries }).context.entries()).toEqual(entries);
    const other = scene({ entries, model: BOUND });
    expect(other.context.entries().at(-1)).toMatchObject({ type: 'head', head: { model: BOUND } });
    expect((await other.context.request()).head.model).toBe(BOUND);
  });

  test.each([
    { minutes: 4, warm: true },
    { minutes: 61, warm: false },
  ])('after $minutes minutes the cache counts as warm: $warm', async ({ minutes, warm }) => {
    const first = scene();
    await first.context.user('Go.');
    await round(first.context, { a: 'out' });
    const { layer, told } = listener();
    const second = scene({ entries: read(first.context.entries()), layers: [layer] });
    second.clock.pass(minutes * 60_000);
    await second.context.request();
    expect(told[0]?.cache.warm).toBe(warm);
    expect(told[0]?.cache.markers.length).toBe(warm ? 1 : 0);
  });

  const lifetimes = (request: Request) => request.markers.map(({ ttl }) => ttl ?? '5m');

  test('an hour is asked for from the first pause on that five minutes did not outlive, after a restart too', async () => {
    const options = { layers: [], stableTtl: '1h' } as const;
    const first = scene(options);
    await first.context.user('Go.');
    await round(first.context, { a: 'out' });
    first.clock.pass(4 * 60_000);
    expect(lifetimes(await first.context.request())).not.toContain('1h');
    await round(first.context, { b: 'out' });
    first.clock.pass(6 * 60_000);
    const asked = await first.context.request();
    expect(lifetimes(asked)).toEqual(['1h', '1h', '1h', '5m']);
    await round(first.context, { c: 'out' });
    const next = await first.context.request();
    expect(lifetimes(next)).toEqual(['1h', '1h', '1h', '5m']);
    const second = scene({ ...options, entries: read(first.context.entries()) });
    second.clock.pass(10 * 60_000);
    expect((await second.context.request()).markers).toEqual(next.markers);
  });

  test('a gap is measured from the last answered request, also where an edit came before its reply', async () => {
    const options = { layers: [], stableTtl: '1h' } as const;
    const live = scene(options);
    await live.context.user('Go.');
    await round(live.context, { a: 'out' });
    live.clock.pass(4 * 60_000);
    await live.context.request();
    await editFirst(live.context);
    await live.context.reply(says(text('Done.')));
    await live.context.user('Go on.');
    live.clock.pass(4 * 60_000);
    const resumed = scene({
      ...options,
      entries: read(live.context.entries()),
      now: live.clock.now,
    });
    const asked = await live.context.request();
    expect(lifetimes(asked)).not.toContain('1h');
    expect(await resumed.context.request()).toEqual(asked);
  });

  test('over pauses, edits and failures: a resumed conversation sends what the live one sends', async () => {
    const step = fc.constantFrom('round', 'edit', 'edit in flight', 'failure', 4, 6, 70);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const heard = [listener(), listener()] as const;
        const options = { stableTtl: '1h' } as const;
        const live = scene({ ...options, layers: [heard[0].layer] });
        const { context, clock } = live;
        for (const each of steps) {
          if (typeof each === 'number') clock.pass(each * 60_000);
          else {
            await context.user('Go on.');
            if (each === 'edit') await editFirst(context);
            await context.request();
            if (each === 'failure') continue;
            if (each === 'edit in flight') await editFirst(context);
            await context.reply(says(text('Done.')));
          }
        }
        await context.user('Last.');
        const entries = read(context.entries());
        const resumed = scene({ ...options, entries, now: clock.now, layers: [heard[1].layer] });
        const asked = await context.request();
        expect(await resumed.context.request()).toEqual(asked);
        expect(heard[1].told.at(-1)).toMatchObject({
          ...{ cache: heard[0].told.at(-1)?.cache, prices: heard[0].told.at(-1)?.prices },
        });
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    { minutes: 4, warm: true, markers: [0, 2] },
    { minutes: 30, warm: true, markers: [0] },
    { minutes: 70, warm: false, markers: [] },
  ])('what is kept for an hour is warm after $minutes minutes: $warm', async (expected) => {
    const { layer, told } = listener();
    const { context, clock } = scene({ layers: [layer], stableTtl: '1h' });
    await context.user('Go.');
    await round(context, { a: 'out' });
    clock.pass(6 * 60_000);
    await round(context, { b: 'out' });
    clock.pass(expected.minutes * 60_000);
    await context.request();
    const { cache, prices } = told.at(-1) as PlanContext;
    expect(cache).toEqual({ warm: expected.warm, markers: expected.markers });
    // what is written again is the end of the prompt, which is kept for five minutes
    expect(prices.write / prices.read).toBeCloseTo(1.25 / 0.1);
  });

  test('of several answered requests the last one tells whether the cache is warm', async () => {
    const first = scene();
    await first.context.user('Go.');
    await round(first.context, { a: 'out' });
    first.clock.pass(7_200_000);
    await round(first.context, { b: 'out' });
    const { layer, told } = listener();
    const second = scene({ entries: read(first.context.entries()), layers: [layer] });
    second.clock.pass(7_260_000);
    await second.context.request();
    expect(told[0]?.cache).toMatchObject({ warm: true, markers: [0, 2] });
  });

  test('a reply to no request does not make the last answered one forgotten', async () => {
    const { layer, told } = listener();
    const { context } = scene({ layers: [layer] });
    await context.user('Go.');
    await context.request();
    await context.reply(says(text('Hello.')));
    await context.user('Go on.');
    await context.reply(says(text('From elsewhere.')));
    await context.user('And now?');
    await context.request();
    expect(told.at(-1)?.cache).toMatchObject({ warm: true, markers: [0] });
  });

  test('a message that came between a request and its reply does not hide what the request had marked', async () => {
    const first = scene();
    await first.context.user('Go.');
    await first.context.request();
    await first.context.user('One more thing.');
    await first.context.reply(says(text('Hello.')));
    await first.context.user('Go on.');
    const { layer, told } = listener();
    const second = scene({ entries: read(first.context.entries()), layers: [layer] });
    await second.context.request();
    expect(told[0]?.cache).toEqual({ warm: true, markers: [0] });
  });

  test('what was stored once is shown the same way again, whatever the limits are after the restart', async () => {
    const store = memoryStore();
    const first = scene({ storage: earlyStorage({ store }), layers: [] });
    await first.context.user('Go.');
    await round(first.context, { a: output('a', 9_000) });
    const entries = read(first.context.entries());
    const storage = earlyStorage({ store, threshold: 1e6, roundChars: 1e6 });
    const second = scene({ storage, entries, layers: [] });
    await round(second.context, { a: output('a', 9_000) });
    const { messages } = await second.context.request();
    const shown = messages.flatMap(toolResults).map(({ content }) => content);
    expect(shown).toHaveLength(2);
    expect(shown[1]).toBe(shown[0]);
    expect(shown[0]).toContain('<persisted-output ');
  });

  test('after an hour what is old is cleared, since the cache is gone anyway', async () => {
    const first = scene();
    await first.context.user('Go.');
    for (const id of ['a', 'b', 'c', 'd']) await round(first.context, { [id]: output(id, 1_000) });
    const { context, clock, events } = scene({ entries: read(first.context.entries()) });
    clock.pass(3_700_000);
    const request = await context.request();
    expect(events).toMatchObject([{ kind: 'edited', reason: 'idle' }]);
    expect(JSON.stringify(request.messages)).toContain(CLEARED_RESULT);
    expect(violationsOf(request)).toEqual([]);
  });

  test('a request that nobody answered makes no cache warm', async () => {
    const { layer, told } = listener();
    const { context } = scene({ layers: [layer] });
    await context.user('Go.');
    await context.request();
    await context.request();
    await context.reply(says(text('Hello.')));
    await context.user('Go on.');
    await context.request();
    expect(told.map(({ cache }) => cache.warm)).toEqual([false, false, true]);
  });

  test('planners are told limits, prices, sizes and whether a person has just spoken', async () => {
    const { layer, told } = listener();
    const { context } = scene({ layers: [layer] });
    await context.user('Go.');
    await round(context, { a: 'out' });
    await context.request();
    expect(told.map(({ atUserTurn }) => atUserTurn)).toEqual([true, false]);
    const { limits, prices, contextTokens, thinking: rule } = told[1] as PlanContext;
    expect(limits).toEqual({
      windowTokens: 1_000_000,
      effectiveTokens: 980_000,
      autocompactTokens: 967_000,
    });
    expect(prices.read).toBeCloseTo(0.5);
    expect(prices.write).toBeCloseTo(6.25);
    expect(prices.output).toBeCloseTo(25);
    expect(contextTokens).toBe(context.size().tokens);
    expect(rule).toBe('latest-turn');
  });

  test('of several stretches that were replaced since, the first one ends what is cached', async () => {
    const seen: (readonly number[])[] = [];
    let spans: readonly string[] = [];
    const snips = (at: number): Layer => ({
      name: `snip-${at}`,
      planner: {
        observe() {},
        plan({ cache }) {
          seen.push(cache.markers);
          const id = spans[at];
          if (id === undefined) return { kind: 'none', reason: 'waits' };
          const edit = { kind: 'replace-span', fromId: id, toId: id, then: [] } as const;
          const message = { id: `${id}-short`, role: 'user', content: [text('Short.')] } as const;
          return { kind: 'edit', reason: 'snip', edits: [{ ...edit, with: [message] }] };
        },
      },
    });
    const { context } = scene({ layers: [snips(0), snips(1), snips(2)] });
    for (const said of ['One.', 'Two.', 'Three.']) {
      await context.user(said);
      await context.request();
      await context.reply(says(text(`Answer to ${said}`)));
    }
    const [, second = '', third = ''] = context
      .view()
      .messages.flatMap(({ id, role }) => (role === 'user' ? id : []));
    await context.user('Four.');
    spans = [second, third];
    seen.length = 0;
    await context.request();
    expect(Math.max(...(seen[0] ?? []))).toBe(4);
    expect(seen[2]).toEqual(seen[0]?.filter((index) => index < 2));
  });

  test('a clearing of a fork is none of its parent, and each reads what was stored before', async () => {
    const storage = earlyStorage();
    const parent = scene({ storage });
    await parent.context.user('Go.');
    await round(parent.context, { big: output('big', 20_000) });
    const forked = storage.fork({ sessionId: 'fork' });
    const child = scene({ storage: forked, entries: parent.context.entries() });
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await round(child.context, { [id]: output(id, 3_000) });
    await child.context.request();
    const request = await parent.context.request();
    expect(JSON.stringify(request.messages)).not.toContain(CLEARED_RESULT);
    const [handle = ''] = storage.handles();
    expect(await forked.load(handle)).toBe(output('big', 20_000));
  });

  test('a round that a killed process left open waits to be closed', async () => {
    const first = scene();
    await first.context.user('Go.');
    await first.context.request();
    await first.context.reply(says(call('a'), call('b')));
    const { context } = scene({ entries: read(first.context.entries()) });
    expect(await rejection(context.request())).toMatchObject({ code: 'open-round' });
    await context.closeRound('killed');
    expect(violationsOf(await context.request())).toEqual([]);
  });
});
