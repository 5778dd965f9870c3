import { type Entry, type JsonObject, serializeEntry, type View } from '@varve/messages';
import { SECRET_KINDS } from '@varve/redact/testing';
import { describe, expect, test } from 'vitest';
import { createContext, type Layer } from '../src/index.ts';
import { kindsOf } from './compacting-support.ts';
import { LATEST, says, scene, text } from './support.ts';

/** Puts a message in place of the first one, once, with this in its block and in its receipt. */
function replacing(value: unknown): Layer {
  let view: View = { messages: [], changedFrom: 0 };
  let isDone = false;
  return {
    name: 'mine',
    planner: {
      observe: (_, next) => {
        view = next;
      },
      plan() {
        if (isDone || view.messages.length < 2) return { kind: 'none', reason: 'nothing-yet' };
        isDone = true;
        const id = view.messages[0]?.id as string;
        const block = { type: 'text', text: 'Short.', more: value };
        const put = { id: 'short', role: 'user', content: [block] } as const;
        const edit = { kind: 'replace-span', fromId: id, toId: id, with: [put], then: [] } as const;
        const receipt = { more: value } as unknown as JsonObject;
        return { kind: 'edit', edits: [edit], reason: 'shortened', receipt };
      },
    },
  };
}

async function edited(value: unknown, redact?: 'derived' | 'on-entry') {
  const made = scene({ layers: [replacing(value)], ...(redact && { redact }) });
  await made.context.user('Read all of it.');
  await made.context.request();
  await made.context.reply(says(text('Read.')));
  await made.context.user('And now?');
  await made.context.request();
  return made;
}

const asWritten = (entries: readonly Entry[]): unknown =>
  entries.map((entry) => JSON.parse(serializeEntry(entry)));

describe('an edit of a layer in the log', () => {
  test.each<[what: string, value: unknown]>([
    ['fields that JSON leaves out', { a: undefined, b: () => 1 }],
    ['numbers and dates that JSON writes otherwise', [Number.NaN, -0, new Date(0)]],
    ['a list with holes', [undefined, Object.assign([1], { 3: 4 })]],
    ['a half surrogate', 'a\ud800'],
  ])('is what a reader of the log gets: %s', async (_, value) => {
    const { context } = await edited(value);
    expect(context.entries().some(({ type }) => type === 'edit')).toBe(true);
    expect(asWritten(context.entries())).toStrictEqual(context.entries());
    expect(JSON.stringify(context.entries())).not.toMatch(/\\ud8/);
    const again = createContext({
      model: LATEST,
      entries: asWritten(context.entries()) as Entry[],
    });
    expect(again.view().messages).toStrictEqual(context.view().messages);
  });

  test('stays as it was where the layer changes its objects afterwards', async () => {
    const value = { list: [1] };
    const { context } = await edited(value);
    const before = JSON.stringify([context.entries(), context.view()]);
    value.list.push(2);
    expect(JSON.stringify([context.entries(), context.view()])).toBe(before);
  });

  test('that cannot be written is refused, and the conversation goes on without it', async () => {
    const { context, events } = await edited({ big: 1n });
    expect(kindsOf(events)).toContain('mine failed edit-refused');
    expect(context.view().messages).toHaveLength(3);
  });

  test('L325: holds no secret in what it says of itself, and none at all on entry', async () => {
    const { text: said, secret } = (SECRET_KINDS[0] as (typeof SECRET_KINDS)[number]).make(1);
    const of = async (redact: 'derived' | 'on-entry') => {
      const { context } = await edited(said, redact);
      const edit = context.entries().find((entry) => entry.type === 'edit');
      if (edit?.type !== 'edit') throw new Error('no edit');
      return [edit.receipt, edit.edit].map((part) => JSON.stringify(part).includes(secret));
    };
    expect(await of('derived')).toEqual([false, true]);
    expect(await of('on-entry')).toEqual([false, false]);
  });
});
