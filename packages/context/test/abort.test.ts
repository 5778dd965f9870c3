import { getEventListeners } from 'node:events';
import { memoryStore, type ToolResultStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import type { CallModel, Context } from '../src/index.ts';
import {
  bytesOf,
  call,
  earlyStorage,
  output,
  round,
  says,
  scene,
  text,
  violationsOf,
} from './support.ts';

/** Aborts at the n-th moment at which something outside is waited for. */
function createMoments(at: number) {
  const controller = new AbortController();
  let count = 0;
  const moment = async (): Promise<void> => {
    if (count++ === at) controller.abort();
    await Promise.resolve();
  };
  return { signal: controller.signal, moment, wasReached: () => count > at };
}

/** Every call of a store, a log and a model is two moments: before and after it did its work. */
function outside(moment: () => Promise<void>) {
  const around =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await moment();
      const result = await work(...given);
      await moment();
      return result;
    };
  const inner = memoryStore();
  const store: ToolResultStore = {
    put: around(inner.put),
    get: around(inner.get),
    delete: around(inner.delete),
    list: around(inner.list),
  };
  const log = { append: around(async () => {}) };
  const call: CallModel = async (_, { signal }) => {
    await moment();
    signal?.throwIfAborted();
    return says(text('Done.'));
  };
  return { store, log, call };
}

const huge = (name: string) => output(name, 9_000);

interface Try {
  readonly name: string;
  readonly prepare: (context: Context) => Promise<unknown>;
  readonly act: (context: Context, signal: AbortSignal) => Promise<unknown>;
  /** Makes the next request possible. */
  readonly finish: (context: Context) => Promise<unknown>;
}

const tries: readonly Try[] = [
  {
    name: 'user with two huge texts',
    prepare: async () => {},
    act: (context, signal) => context.user([text(huge('one')), text(huge('two'))], { signal }),
    finish: (context) => context.user('Go on.'),
  },
  {
    name: 'results of three huge outputs',
    async prepare(context) {
      await context.request();
      await context.reply(says(call('a'), call('b'), call('c')));
    },
    act: (context, signal) =>
      context.results(
        ['a', 'b', 'c'].map((toolUseId) => ({ toolUseId, content: huge(toolUseId) })),
        { signal },
      ),
    finish: (context) => context.closeRound('aborted'),
  },
  {
    name: 'request with a clearing to do',
    async prepare(context) {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await round(context, { [id]: output(id, 2_000) });
    },
    act: (context, signal) => context.request({ signal }),
    finish: async () => {},
  },
  {
    name: 'send',
    prepare: async () => {},
    act: (context, signal) => context.send({ signal }),
    finish: async () => {},
  },
];

describe('abort', () => {
  test.each(tries)(
    '$name: at every moment it leaves the messages and the next request as they were',
    async ({ prepare, act, finish }) => {
      const start = async (moment: () => Promise<void>) => {
        const { store, ...rest } = outside(moment);
        const { context } = scene({ storage: earlyStorage({ store }), ...rest });
        await context.user('Go.');
        await prepare(context);
        return context;
      };
      const still = async () => {};
      const never = await start(still);
      const untouched = await start(still);
      await finish(untouched);
      const expected = bytesOf(await untouched.request());
      let aborted = 0;
      for (let at = 0; ; at++) {
        let during = still;
        const context = await start(() => during());
        const { signal, moment, wasReached } = createMoments(at);
        during = moment;
        const before = context.view().messages.length;
        const error = await act(context, signal).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        during = still;
        if (!wasReached()) break;
        if (error === undefined) continue; // too late: it took effect
        aborted++;
        expect(error).toMatchObject({ name: 'AbortError' });
        expect(context.view().messages).toHaveLength(before);
        expect(context.view().open?.waiting).toEqual(never.view().open?.waiting);
        await finish(context);
        const request = await context.request();
        expect(bytesOf(request)).toEqual(expected);
        expect(violationsOf(request)).toEqual([]);
      }
      expect(aborted).toBeGreaterThan(0);
    },
  );

  test.each(tries)(
    '$name: with a signal that was aborted before, nothing is done',
    async ({ prepare, act }) => {
      const { context } = scene({ storage: earlyStorage(), call: async () => says(text('Done.')) });
      await context.user('Go.');
      await prepare(context);
      const before = context.entries();
      await expect(act(context, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
      expect(context.entries()).toEqual(before);
    },
  );

  test('a model call that does not look at its signal holds up nobody, and its late answer is dropped', async () => {
    const abort = new AbortController();
    const answers: (() => void)[] = [];
    const { context } = scene({
      call: () => new Promise((resolve) => answers.push(() => resolve(says(text('Late.'))))),
    });
    await context.user('Go.');
    const sent = context.send({ signal: abort.signal });
    const behind = context.user('Stop.');
    while (answers.length === 0) await Promise.resolve();
    abort.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await behind;
    for (const answer of answers) answer();
    await context.flush();
    expect(context.view().messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  test.each<[string, (context: Context, given: { readonly signal: never }) => Promise<unknown>]>([
    ['user', (context, given) => context.user('And?', given)],
    ['request', (context, given) => context.request(given)],
    ['results', (context, given) => context.results([], given)],
    ['send', (context, given) => context.send(given)],
    ['compact', (context, given) => context.compact(given)],
    ['recover', (context, given) => context.recover(new Error('too long'), given)],
    ['setHead', (context, given) => context.setHead({ system: 'Other.' }, given)],
    ['edit', (context, given) => context.edit([], { by: 'a', reason: 'b', ...given })],
    ['undo', (context, given) => context.undo('x', given)],
  ])('%s: a signal that is none is refused by name, and nothing is done', async (_name, act) => {
    for (const signal of [new AbortController(), new EventTarget(), 'abort', 5, null, {}]) {
      const { context } = scene({ call: async () => says(text('Done.')) });
      await context.user('Go.');
      const before = context.entries();
      const kind = signal === null ? 'null' : signal === 5 ? '5' : typeof signal;
      await expect(act(context, { signal: signal as never })).rejects.toThrow(
        new TypeError(`Expected \`signal\` to be an AbortSignal, got \`${kind}\``),
      );
      expect(context.entries()).toEqual(before);
    }
  });

  test('a signal that serves many calls keeps nothing of them', async () => {
    const { signal } = new AbortController();
    const { context } = scene({ call: async () => says(text('Done.')) });
    for (const said of ['One.', 'Two.', 'Three.']) {
      await context.user(said, { signal });
      await context.send({ signal });
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('an answer that comes with the abort is not taken', async () => {
    const abort = new AbortController();
    const { context } = scene({
      async call() {
        abort.abort();
        return says(text('Late.'));
      },
    });
    await context.user('Go.');
    await expect(context.send({ signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(context.view().messages).toHaveLength(1);
  });

  test('one aborted call holds up none of those behind it', async () => {
    const { context } = scene({ storage: earlyStorage() });
    const first = context.user(huge('one'), { signal: AbortSignal.abort() });
    const second = context.user('Go.');
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await second;
    expect(context.view().messages).toHaveLength(1);
  });
});
