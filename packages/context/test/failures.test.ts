import { type Plan, type Planner, toolResults } from '@varve/messages';
import { memoryStore, type ToolResultStore } from '@varve/tool-storage';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ContextEvent, Layer } from '../src/index.ts';
import type { EntryLog } from '../src/options.ts';
import {
  bytesOf,
  call,
  earlyStorage,
  output,
  rejection,
  round,
  says,
  scene,
  text,
  violationsOf,
} from './support.ts';

const layer = (name: string, planner: Partial<Planner>): Layer => ({
  name,
  planner: { observe: () => {}, plan: () => ({ kind: 'none', reason: 'idle' }), ...planner },
});

const full = (): ToolResultStore => ({
  ...memoryStore(),
  put: async () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  },
});

describe('a storage that fails', () => {
  test('a full disk leaves what fits with a notice, says so, and the loop goes on', async () => {
    const { context, events } = scene({ storage: earlyStorage({ store: full() }) });
    await context.user('Go.');
    const requests = [];
    for (let index = 0; index < 5; index++)
      requests.push(await round(context, { [`c${index}`]: output(`r${index}`, 20_000) }));
    requests.push(await context.request());
    expect(requests.flatMap(violationsOf)).toEqual([]);
    const shown = toolResults(requests.at(-1)?.messages.at(-1) as never)[0]?.content;
    expect(shown).toContain('the disk is full');
    expect(String(shown).length).toBeLessThan(5_000);
    const failures = events.filter(({ layer: name }) => name === 'tool-storage');
    expect(failures).toHaveLength(5);
    expect(failures[0]).toMatchObject({ kind: 'failed', reason: 'disk-full' });
    expect((failures[0] as { cause?: unknown }).cause).toBeInstanceOf(Error);
  });

  test('a session without room says so although nothing was thrown', async () => {
    const { context, events } = scene({ storage: earlyStorage({ maxSessionBytes: 10 }) });
    await context.user(output('huge', 30_000));
    expect(events).toEqual([{ layer: 'tool-storage', kind: 'failed', reason: 'session-budget' }]);
  });
});

test('a storage that throws when it is shown an entry keeps none from the log', async () => {
  const cause = new Error('blind');
  const storage = {
    ...earlyStorage(),
    observe() {
      throw cause;
    },
  };
  const { context, events } = scene({ storage });
  await context.user('Go.');
  await round(context, { a: 'out' });
  expect(violationsOf(await context.request())).toEqual([]);
  expect(context.entries()).toHaveLength(4);
  expect(events[0]).toEqual({
    layer: 'tool-storage',
    kind: 'failed',
    reason: 'observe-threw',
    cause,
  });
});

describe('a layer that fails', () => {
  test('one that throws in plan gives way to the next and is asked again', async () => {
    const cause = new Error('no plan');
    let asked = 0;
    const broken = layer('broken', {
      plan: () => {
        asked++;
        throw cause;
      },
    });
    const { context, events } = scene({ layers: [broken, layer('sound', {})] });
    await context.user('Go.');
    expect(violationsOf(await context.request())).toEqual([]);
    await context.request();
    expect(asked).toBe(2);
    expect(events.slice(0, 2)).toEqual([
      { layer: 'broken', kind: 'failed', reason: 'plan-threw', cause },
      { layer: 'sound', kind: 'idle', reason: 'idle' },
    ]);
  });

  test.each([undefined, null, 7, {}, { kind: 'edit', reason: 'no edits' }])(
    'a plan that is none (%j) is a failure',
    async (plan) => {
      const odd = layer('odd', { plan: () => plan as unknown as Plan });
      const { context, events } = scene({ layers: [odd] });
      await context.user('Go.');
      await context.request();
      expect(events).toMatchObject([{ kind: 'failed', reason: 'plan-threw' }]);
    },
  );

  test('one that throws in observe is left out from then on, and the log has every entry', async () => {
    let seen = 0;
    const cause = new Error('cannot see');
    const blind = layer('blind', {
      observe: () => {
        seen++;
        if (seen === 3) throw cause;
      },
      plan: () => ({ kind: 'edit', edits: [{ kind: 'server', params: { x: 1 } }], reason: 'mad' }),
      frontier: () => 0,
    });
    const counted: string[] = [];
    const watcher = layer('watcher', { observe: ({ id }) => void counted.push(id) });
    const { context, events } = scene({ layers: [blind, watcher] });
    await context.user('Go.'); // head and message: two entries
    await round(context, { a: 'one' }); // its server edit is the third
    await context.request();
    expect(events.filter((event) => event.layer === 'blind')).toEqual([
      { layer: 'blind', kind: 'edited', reason: 'mad', entryIds: ['blind-3'], changedFrom: 1 },
      { layer: 'blind', kind: 'failed', reason: 'observe-threw', cause },
    ]);
    expect(seen).toBe(3);
    expect(counted).toEqual(context.entries().map(({ id }) => id));
    const again = scene({ layers: [], entries: context.entries() });
    expect(bytesOf(await again.context.request())).toEqual(bytesOf(await context.request()));
  });

  test('one that throws in frontier costs its marker and is left out', async () => {
    const cause = new Error('no frontier');
    const { context, events } = scene({
      layers: [
        layer('lost', {
          frontier: () => {
            throw cause;
          },
        }),
      ],
    });
    await context.user('Go.');
    expect(violationsOf(await context.request())).toEqual([]);
    await context.request();
    expect(events.at(-1)).toEqual({
      layer: 'lost',
      kind: 'failed',
      reason: 'frontier-threw',
      cause,
    });
  });

  test('an edit that the log refuses is left out, those before it stay and are named', async () => {
    const refused = { kind: 'undo', entryId: 'nowhere' } as const;
    const half = layer('half', {
      plan: () => ({
        kind: 'edit',
        reason: 'both',
        receipt: { freed: 5 },
        edits: [{ kind: 'server', params: { context_management: {} } }, refused],
      }),
    });
    const { context, events } = scene({ layers: [half] });
    await context.user('Go.');
    const { server } = await context.request();
    expect(server).toEqual({ context_management: {} });
    expect(events).toMatchObject([
      { kind: 'edited', reason: 'both', entryIds: ['half-3'] },
      { kind: 'failed', reason: 'edit-refused' },
    ]);
    expect(context.entries().at(-1)).toMatchObject({ by: 'half', receipt: { freed: 5 } });
  });

  test('a plan without edits is idle', async () => {
    const empty = layer('empty', { plan: () => ({ kind: 'edit', edits: [], reason: 'nothing' }) });
    const { context, events } = scene({ layers: [empty] });
    await context.user('Go.');
    await context.request();
    expect(events).toEqual([{ layer: 'empty', kind: 'idle', reason: 'nothing' }]);
  });

  test('a listener that throws hurts nobody', async () => {
    const { context } = scene({
      onEvent: (_: ContextEvent) => {
        throw new Error('listener');
      },
    });
    await context.user('Go.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('a listener that rejects hurts nobody', async () => {
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => void rejected.push(reason);
    process.on('unhandledRejection', onRejection);
    onTestFinished(() => void process.off('unhandledRejection', onRejection));
    const { context } = scene({
      onEvent: async () => {
        throw new Error('listener');
      },
    });
    await context.user('Go.');
    await context.request();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(rejected).toEqual([]);
  });

  test('a listener may call its context; what it adds waits its turn', async () => {
    let said: Promise<unknown> | undefined;
    const { context } = scene({
      onEvent() {
        said ??= context.user('From the listener.');
        context.size();
      },
    });
    await context.user('Go.');
    expect((await context.request()).messages).toHaveLength(1);
    await said;
    expect(context.view().messages).toHaveLength(2);
  });
});

describe('a log that rejects', () => {
  function moodyLog() {
    const written: string[] = [];
    const log: EntryLog & { fails: boolean } = {
      fails: false,
      async append(...entries) {
        if (log.fails) throw new Error('log is away');
        written.push(...entries.map(({ id }) => id));
      },
    };
    return { log, written };
  }

  test('loses nothing: the call says so, the message is in, and the next call writes all', async () => {
    const { log, written } = moodyLog();
    const { context } = scene({ log });
    await context.user('Go.');
    log.fails = true;
    await context.request(); // nothing new to write
    expect(await rejection(context.reply(says(call('a'))))).toMatchObject({ code: 'not-written' });
    expect(context.view().open?.waiting).toEqual(['a']);
    expect(await rejection(context.flush())).toMatchObject({ code: 'not-written' });
    log.fails = false;
    await context.results([{ toolUseId: 'a', content: 'out' }]);
    expect(written).toEqual(context.entries().map(({ id }) => id));
    await context.flush();
    expect(written).toHaveLength(context.entries().length);
  });

  test('send rejects before the model is called where an edit or message cannot be written', async () => {
    const { log } = moodyLog();
    let calls = 0;
    const { context } = scene({
      log,
      call: async () => {
        calls++;
        return says(text('Hi.'));
      },
    });
    log.fails = true;
    expect(await rejection(context.user('Go.'))).toMatchObject({ code: 'not-written' });
    expect(await rejection(context.send())).toMatchObject({ code: 'not-written' });
    expect(calls).toBe(0);
    log.fails = false;
    expect((await context.send()).content).toEqual([text('Hi.')]);
  });

  test('a note that comes while others are written is written after them, once', async () => {
    const written: string[] = [];
    let noted: Promise<void> | undefined;
    const { context } = scene({
      log: {
        async append(...entries) {
          noted ??= context.note({ by: 'test', data: 'meanwhile' });
          await Promise.resolve();
          written.push(...entries.map(({ id }) => id));
        },
      },
    });
    await context.user('Go.');
    await noted;
    expect(written).toEqual(context.entries().map(({ id }) => id));
    expect(written).toHaveLength(3);
  });

  test('entries of an earlier run are not written again', async () => {
    const first = scene();
    await first.context.user('Go.');
    const { log, written } = moodyLog();
    const { context } = scene({ log, entries: first.context.entries() });
    await context.user('More.');
    expect(written).toEqual(['message-3']);
  });
});
