import { type Entry, fingerprint, type Json } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createToolStorage, memoryStore } from '../src/index.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output } from './support.ts';

const at = '2026-01-02T03:04:05.000Z';
const note = (data: Json): Entry => ({ id: 'n', at, type: 'note', by: 'tool-storage', data });
const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const resultEntry = (toolUseId: string, content: string): Entry => ({
  id: `e-${toolUseId}`,
  at,
  type: 'message',
  message: {
    id: `m-${toolUseId}`,
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: toolUseId, content }],
  },
});

describe('frozen decisions (S3)', () => {
  test('a note in the log brings back the same bytes after a restart, whatever the options are by then', async () => {
    const store = memoryStore();
    const first = createToolStorage({ store, sessionId: 's' });
    const before = await first.offload(output('t1', longText(60_000)));
    const data = throughJson(first.takeNote()) as Json;
    expect(first.takeNote()).toBeUndefined();
    const second = createToolStorage({
      store,
      sessionId: 's',
      threshold: 90_000,
      preview: { maxChars: 400, style: 'head' },
    });
    second.observe(note(data));
    expect(await second.offload(output('t1', longText(60_000)))).toEqual(before);
    expect(second.takeNote()).toBeUndefined();
  });

  test('a result that the log shows whole stays whole', async () => {
    const results = memoryStorage({ threshold: 1_000 });
    results.observe(resultEntry('t1', longText(9_000)));
    const again = await results.offload(output('t1', longText(9_000)));
    expect(again).toMatchObject({ kind: 'kept', reason: 'seen' });
    expect(await results.offload(output('t2', longText(9_000)))).toMatchObject({ kind: 'stored' });
  });

  test('what stands in a message in place of a result is not offloaded again', async () => {
    const results = memoryStorage({ threshold: 1_000, preview: { maxChars: 4_000 } });
    const { content } = await results.offload(output('t1', longText(9_000)));
    results.observe(resultEntry('t1', String(content)));
    const again = await results.offload(output('t1', String(content)));
    expect(again).toMatchObject({ kind: 'kept', reason: 'seen', content });
  });

  test('case 39: an id that comes again with another result is another decision', async () => {
    const results = memoryStorage();
    const shown = [];
    for (let turn = 0; turn < 50; turn++) {
      shown.push(await results.offload(output('k0', longText(60_000, `turn ${turn}`))));
    }
    const handles = shown.map((outcome) => (outcome.kind === 'stored' ? outcome.handle : ''));
    expect(new Set(handles).size).toBe(50);
    for (const [turn, handle] of handles.entries()) {
      expect(await results.load(handle)).toBe(longText(60_000, `turn ${turn}`));
    }
  });

  test('many small results under one id are told apart, and the log takes over their texts', async () => {
    const results = memoryStorage();
    for (let turn = 0; turn < 50; turn++) {
      const content = `turn ${turn}`;
      expect(await results.offload(output('k0', content))).toMatchObject({
        reason: 'below-threshold',
      });
      if (turn % 2 === 0) results.observe(resultEntry('k0', content));
    }
    const marks = results.decisions().map(({ fingerprint }) => fingerprint);
    expect(marks).toEqual(Array.from({ length: 50 }, (_, turn) => fingerprint(`turn ${turn}`)));
    const again = await results.offload(output('k0', 'turn 7'));
    expect(again).toMatchObject({ kind: 'kept', reason: 'below-threshold' });
    expect(results.decisions()).toHaveLength(50);
  });

  test('decisions go through JSON into another storage', async () => {
    const store = memoryStore();
    const first = createToolStorage({ store, sessionId: 's' });
    const outcomes = await first.offloadRound([
      output('a', longText(60_000)),
      output('b', 'short'),
    ]);
    const decisions = throughJson(first.decisions());
    const second = createToolStorage({ store, sessionId: 's', decisions, threshold: 1 });
    const again = await second.offloadRound([output('a', longText(60_000)), output('b', 'short')]);
    expect(again).toEqual(outcomes);
  });

  test.each([
    ['text', 'x'],
    ['null', null],
    ['a list', []],
    ['no list', { decisions: 3 }],
    [
      'wrong items',
      { decisions: [null, 3, {}, { toolUseId: 't', fingerprint: 'f', kind: 'stored' }] },
    ],
  ])('a note with %s is no decision and no error', (_name, data) => {
    const results = memoryStorage();
    results.observe(note(data as Json));
    expect(results.decisions()).toEqual([]);
  });

  test('whoever has the result at hand brings back what the store has lost; not what was removed on request', async () => {
    const store = memoryStore();
    const first = createToolStorage({ store, sessionId: 's' });
    const shown = await first.offload(output('t', longText(60_000)));
    const handle = shown.kind === 'stored' ? shown.handle : '';
    await store.delete(`s/${handle}`);
    const second = createToolStorage({ store, sessionId: 's', decisions: first.decisions() });
    await second.offload(output('t', longText(60_000)));
    expect(await second.load(handle)).toBe(longText(60_000));
    await second.remove(handle);
    expect(await second.offload(output('t', longText(60_000)))).toEqual(shown);
    await expect(second.load(handle)).rejects.toMatchObject({ code: 'unknown-handle' });
  });
});

describe('remove (S3)', () => {
  const small = 'a small result that the log holds whole';
  const message = resultEntry('small', small);
  const blockOf = (entry: Entry) => {
    const block = entry.type === 'message' ? entry.message.content[0] : undefined;
    return block as Parameters<ReturnType<typeof memoryStorage>['handleOf']>[0];
  };

  test('a restart does not bring back what was removed, whether the store or the log held it', async () => {
    const store = memoryStore();
    const first = createToolStorage({ store, sessionId: 's' });
    const stored = await first.offload(output('large', longText(60_000)));
    const large = stored.kind === 'stored' ? stored.handle : '';
    const decided = throughJson(first.takeNote()) as Json;
    first.observe(message);
    const whole = first.handleOf(blockOf(message)) as string;
    expect(await first.load(whole)).toBe(small);
    await first.remove(large);
    await first.remove(whole);
    expect(first.handleOf(blockOf(message))).toBeUndefined();
    const removed = throughJson(first.takeNote()) as Json;
    expect(removed).toEqual({ decisions: [], removed: [large, whole] });
    expect(first.takeNote()).toBeUndefined();

    const restarted = createToolStorage({ store, sessionId: 's' });
    const log = [note(decided), message, note(removed)];
    for (const entry of [...log, message]) restarted.observe(entry);
    // whoever has the result at hand shows it as before, and stores it no more
    expect(await restarted.offload(output('large', longText(60_000)))).toEqual(stored);
    for (const handle of [large, whole]) {
      await expect(restarted.load(handle)).rejects.toThrow('was removed');
      expect(await restarted.runReadTool({ handle })).toMatchObject({ isError: true });
    }
    expect(restarted.handleOf(blockOf(message))).toBeUndefined();
    expect(await store.list('s/')).toEqual([]);
  });

  test.each<[string, Json]>([
    ['no list', { removed: 3 }],
    ['wrong items', { removed: [null, 3, {}] }],
    ['nothing', null],
  ])('a note with %s removes nothing', async (_name, data) => {
    const results = memoryStorage();
    results.observe(message);
    results.observe(note(data));
    const handle = results.handleOf(blockOf(message)) as string;
    expect(await results.load(handle)).toBe(small);
  });

  test('a fork that removed a result of its parent does not read it either', async () => {
    const parent = memoryStorage();
    const shown = await parent.offload(output('t', longText(60_000)));
    const handle = shown.kind === 'stored' ? shown.handle : '';
    const fork = parent.fork({ sessionId: 'child' });
    await fork.remove(handle);
    await expect(fork.load(handle)).rejects.toThrow('was removed');
    expect(await parent.load(handle)).toBe(longText(60_000));
  });
});

describe('fork (S3)', () => {
  test('what the parent has shown stays as it was shown, also where limits have changed since', async () => {
    let limit = 50_000;
    const parent = memoryStorage({ thresholdOf: () => limit });
    const round = [output('kept', longText(9_000)), output('stored', longText(60_000))];
    const shown = await parent.offloadRound(round);
    limit = 1_000;
    const fork = parent.fork({ sessionId: 'child' });
    limit = 90_000;
    expect(await fork.offloadRound(round)).toEqual(shown);
    limit = 1_000;
    expect(await fork.offloadRound(round)).toEqual(shown);
  });

  test('a fork has the decisions, reads what its parent stored, and changes nothing in it', async () => {
    const store = memoryStore();
    const parent = createToolStorage({ store, sessionId: 'parent' });
    const shown = await parent.offload(output('t1', longText(60_000)));
    const fork = parent.fork({ sessionId: 'child' });
    expect(await fork.offload(output('t1', longText(60_000)))).toEqual(shown);
    const handle = shown.kind === 'stored' ? shown.handle : '';
    expect(await fork.load(handle)).toBe(longText(60_000));
    const before = JSON.stringify([parent.decisions(), await store.list('parent/')]);
    const own = await fork.offload(output('t2', longText(70_000)));
    expect(JSON.stringify([parent.decisions(), await store.list('parent/')])).toBe(before);
    const ownHandle = own.kind === 'stored' ? own.handle : '';
    await expect(parent.load(ownHandle)).rejects.toMatchObject({ code: 'unknown-handle' });
    const grandchild = fork.fork({ sessionId: 'grandchild' });
    expect(await grandchild.load(handle)).toBe(longText(60_000));
    expect(await grandchild.load(ownHandle)).toBe(longText(70_000));
    await fork.remove(handle);
    expect(await parent.load(handle)).toBe(longText(60_000));
  });
});
