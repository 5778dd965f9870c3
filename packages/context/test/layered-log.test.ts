import type { Entry, Planner } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { defaultLayers } from '../src/index.ts';
import { createLayeredLog, type EditContext } from '../src/layered-log.ts';

const at = '2026-01-31T12:00:00.000Z';
const message = (id: string, role: 'user' | 'assistant', text: string): Entry => ({
  id: `e-${id}`,
  at,
  type: 'message',
  message: { id, role, content: [{ type: 'text', text }] },
});

const plan: EditContext['plan'] = () => ({}) as never;

/** Replaces the text of one message by its name, once. */
function shortener(name: string, messageId: string): { name: string; planner: Planner } {
  let done = false;
  return {
    name,
    planner: {
      observe(entry) {
        if (entry.type === 'edit' && entry.by === name) done = true;
      },
      plan() {
        if (done) return { kind: 'none', reason: 'done' };
        const block = { type: 'text', text: name };
        const edit = { kind: 'replace-content', blocks: [{ messageId, index: 0, block }] } as const;
        return { kind: 'edit', edits: [edit], reason: 'shortened' };
      },
      frontier: () => (done ? 3 : undefined),
    },
  };
}

function filled() {
  const seen: string[] = [];
  const log = createLayeredLog({
    layers: [shortener('one', 'm3'), shortener('two', 'm1')],
    onEntry: ({ id }) => void seen.push(id),
  });
  for (const [id, role] of [
    ['m1', 'user'],
    ['m2', 'assistant'],
    ['m3', 'user'],
    ['m4', 'assistant'],
    ['m5', 'user'],
  ] as const)
    log.append(message(id, role, `text of ${id}`));
  return { log, seen };
}

describe('createLayeredLog', () => {
  test('lets each layer see what the ones before it left, in order', () => {
    const { log, seen } = filled();
    const views: number[] = [];
    const { entries, events } = log.edit({
      at,
      plan: (view) => {
        views.push(view.changedFrom);
        return {} as never;
      },
    });
    expect(views).toEqual([4, 2]); // after the last message; after the edit of the third
    expect(entries.map(({ id }) => id)).toEqual(['one-6', 'two-7']);
    expect(events).toEqual([
      { layer: 'one', kind: 'edited', reason: 'shortened', entryIds: ['one-6'], changedFrom: 2 },
      { layer: 'two', kind: 'edited', reason: 'shortened', entryIds: ['two-7'], changedFrom: 0 },
    ]);
    expect(seen.slice(-2)).toEqual(['one-6', 'two-7']);
    expect(log.edit({ at, plan }).events).toEqual([
      { layer: 'one', kind: 'idle', reason: 'done' },
      { layer: 'two', kind: 'idle', reason: 'done' },
    ]);
  });

  test('parks markers at the newest edit, the next one and the one before', () => {
    const { log } = filled();
    expect(log.parkedAt()).toEqual([]);
    log.edit({ at, plan });
    expect(log.parkedAt()).toEqual([0, 3, 2]);
  });

  test('an entry that may not come next changes nothing', () => {
    const { log, seen } = filled();
    const before = log.view();
    expect(() => log.append(message('m1', 'user', 'again'))).toThrow(
      expect.objectContaining({ code: 'duplicate-entry' }),
    );
    expect(log.view()).toBe(before);
    expect(seen).toHaveLength(5);
    expect(log.nextId('x')).toBe('x-6');
  });

  test('gives ids that no entry and no message has, those inside edits included', () => {
    const { log } = filled();
    const inside = { id: 'x-7', role: 'user', content: [{ type: 'text', text: 'sum' }] } as const;
    const edit = {
      kind: 'replace-span',
      fromId: 'm1',
      toId: 'm2',
      with: [inside],
      then: [],
    } as const;
    log.append({ id: 'e-span', at, type: 'edit', by: 'span', reason: 'test', edit });
    expect(log.nextId('x')).toBe('x-8');
    expect(log.nextId('y')).toBe('y-7');
  });
});

describe('defaultLayers', () => {
  test('is microcompact, sized for the tokenizer of the model', () => {
    const layers = defaultLayers({ tokenizer: 'o200k' } as never);
    expect(layers.map(({ name }) => name)).toEqual(['microcompact']);
  });
});
