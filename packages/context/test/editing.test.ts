import { type Edit, type Entry, MessagesError, parseEntry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type Context, ContextError, createContext } from '../src/index.ts';
import {
  BOUND,
  bytesOf,
  call,
  image,
  LATEST,
  OPENAI,
  rejection,
  round,
  says,
  scene,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const MODELS = [BOUND, LATEST, OPENAI, UNKNOWN];
const WHY = { by: 'person', reason: 'snip' };
const said = (id: string, ...content: (typeof image)[]) =>
  ({ id, role: 'user', content: content.length > 0 ? content : [text(id)] }) as const;

/** Three turns; the second has a round of calls. */
async function talk(model: string) {
  const made = scene({ model });
  const { context } = made;
  await context.user('One.');
  await context.request();
  await context.reply(says(thinking('s1'), text('First.')));
  await context.user('Two.');
  await round(context, { a: 'the output', b: 'more' }, [thinking('s2'), text('Step.')]);
  await context.request();
  await context.reply(says(thinking('s3'), text('Second.')));
  await context.user('Three.');
  const ids = context.view().messages.map(({ id }) => id);
  return { ...made, ids };
}

const rewind = (from = '', to = from, withIt: readonly object[] = []): Edit =>
  ({ kind: 'replace-span', fromId: from, toId: to, with: withIt, then: [] }) as Edit;

const idOf = (context: Context, at: number) => {
  const { sources } = context.view().messages.at(at) ?? { sources: [] };
  return [sources[0], sources.at(-1)] as [string, string];
};

describe('edit', () => {
  test.each(MODELS)('%s: a turn is snipped, and the conversation goes on', async (model) => {
    const { context, events } = await talk(model);
    const [from] = idOf(context, 0);
    const [, to] = idOf(context, 1);
    const { entryIds, changedFrom } = await context.edit(
      [rewind(from, to, [said('snipped', text('[One turn was snipped.]'))])],
      WHY,
    );
    expect([entryIds.length, changedFrom]).toEqual([1, 0]);
    expect(events).toContainEqual({
      ...{ layer: 'person', kind: 'edited', reason: 'snip' },
      ...{ entryIds, changedFrom },
    });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).not.toContain('First.');
    await context.reply(says(thinking('s4'), text('Third.')));
    await context.user('Four.');
    expect(violationsOf(await context.request())).toEqual([]);
    const entries = context.entries().map(serializeEntry).map(parseEntry);
    const again = scene({ model, entries });
    expect(bytesOf(await again.context.request())).toEqual(bytesOf(await context.request()));
  });

  test.each(MODELS)('%s: all is rewound, and a new beginning is made', async (model) => {
    const { context } = await talk(model);
    const [[from], [, to]] = [idOf(context, 0), idOf(context, -1)];
    await context.edit([rewind(from, to)], { by: 'person', reason: 'clear' });
    expect(context.view().messages).toEqual([]);
    const error = await rejection(context.request());
    expect(error).toMatchObject({ code: 'nothing-to-send' });
    await context.user('Anew.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test.each(MODELS)('%s: a result is replaced in the middle of a tool loop', async (model) => {
    const { context } = scene({ model });
    await context.user('Go.');
    await round(context, { a: 'a secret' }, [thinking('s1')]);
    await context.request();
    await context.reply(says(thinking('s2'), call('b'), call('c')));
    await context.results([{ toolUseId: 'b', content: 'out' }]);
    const block = { type: 'tool_result', tool_use_id: 'a', content: '[redacted]' };
    const [, messageId] = idOf(context, 2);
    await context.edit(
      [{ kind: 'replace-content', blocks: [{ messageId, index: 0, block }] }],
      WHY,
    );
    await context.results([{ toolUseId: 'c', content: 'out' }]);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).not.toContain('secret');
  });

  const wrong: [string, (ids: string[]) => Edit[], string | undefined][] = [
    ['a message that is not there', () => [rewind('nothing')], 'unknown-message'],
    ['a span that ends before it starts', ([a, b]) => [rewind(b, a)], 'reversed-span'],
    ['the second of two', ([a, b]) => [rewind(a, b), rewind('nothing')], 'unknown-message'],
    ['an id that is taken', ([a, b]) => [rewind(a, a, [said(b as string)])], 'duplicate-message'],
    ['an undo of what is no edit', () => [{ kind: 'undo', entryId: 'head-1' }], 'not-an-edit'],
    ['no edit', () => [{ kind: 'x' } as never], 'invalid-entry'],
    [
      'a plain message in place of ours',
      ([a]) => [rewind(a, a, [{ role: 'user', content: 'x' }])],
      'invalid-entry',
    ],
    [
      'an assistant first',
      ([a]) => [rewind(a, a, [{ ...said('x'), role: 'assistant' }])],
      'first-not-user',
    ],
    [
      'a call without its result',
      ([a]) => [rewind(a, a, [said('x'), { id: 'y', role: 'assistant', content: [call('z')] }])],
      'incomplete-round',
    ],
    [
      'thinking that is changed',
      (ids) => [
        {
          kind: 'replace-content',
          blocks: [{ messageId: ids[1] as string, index: 0, block: thinking('other') }],
        },
      ],
      'opaque-block',
    ],
    [
      'thinking that nothing follows',
      ([a, b]) => [
        rewind(a, b, [
          said('x'),
          { id: 'y', role: 'assistant', content: [text('Hm.'), thinking('t')] },
        ]),
      ],
      undefined,
    ],
    [
      'thinking without a signature',
      ([a]) => [
        rewind(a, a, [
          said('x'),
          { id: 'y', role: 'assistant', content: [thinking(''), text('Hm.')] },
        ]),
      ],
      undefined,
    ],
    [
      'a system message where none may stand',
      ([a]) => [
        rewind(a, a, [said('x'), { id: 'y', role: 'system', content: [text('Hm.')] }, said('z')]),
      ],
      undefined,
    ],
  ];

  test.each(wrong)('%s is refused, and nothing has changed', async (_name, edits, code) => {
    for (const model of [BOUND, LATEST]) {
      const { context, events } = await talk(model);
      const ids = context.view().messages.map(({ sources }) => sources[0] as string);
      const before = context.entries();
      const told = events.length;
      const error = await rejection(context.edit(edits(ids), WHY));
      expect(ContextError.is(error) && error.code).toBe('edit-refused');
      const { cause } = error as ContextError;
      expect(MessagesError.is(cause) ? cause.code : undefined).toBe(code);
      expect(context.entries()).toEqual(before);
      expect(events).toHaveLength(told);
      expect(violationsOf(await context.request())).toEqual([]);
    }
  });

  test.each([
    [undefined, WHY],
    [[], WHY],
    [[rewind('a')], undefined],
    [[rewind('a')], { by: 'person' }],
    [[rewind('a')], { by: '', reason: 'x' }],
    [[rewind('a')], { by: 'person', reason: ' ' }],
  ])('%j with %j is a TypeError', async (edits, given) => {
    const { context } = scene();
    expect(await rejection(context.edit(edits as never, given as never))).toBeInstanceOf(TypeError);
  });

  test.each([LATEST, BOUND])(
    'M331: %s: thinking of the tool loop that is under way stays',
    async (model) => {
      const { context } = scene({ model });
      await context.user('Go.');
      await round(context, { a: 'out' }, [thinking('s1')]);
      const [messageId] = idOf(context, 1);
      const edit: Edit = {
        kind: 'replace-content',
        blocks: [{ messageId, index: 0, block: null }],
      };
      expect(await rejection(context.edit([edit], WHY))).toMatchObject({ code: 'edit-refused' });
      await context.request();
      await context.reply(says(text('Done.')));
      await context.edit([edit], WHY);
      await context.user('More.');
      expect(violationsOf(await context.request())).toEqual([]);
    },
  );

  test('a reminder inside a tool loop ends no turn: its thinking stays', async () => {
    const { context } = scene({ model: LATEST });
    await context.user('Go.');
    await round(context, { a: 'out' }, [thinking('s1')]);
    await context.user('Five minutes are left.', { origin: { kind: 'reminder' } });
    const [messageId] = idOf(context, 1);
    const edit: Edit = { kind: 'replace-content', blocks: [{ messageId, index: 0, block: null }] };
    expect(await rejection(context.edit([edit], WHY))).toMatchObject({ code: 'edit-refused' });
  });

  test('an error result may hold no image', async () => {
    const { context } = scene({ model: BOUND });
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    await context.results([{ toolUseId: 'a', content: 'It failed.', isError: true }]);
    const [, messageId] = idOf(context, 2);
    const block = { type: 'tool_result', tool_use_id: 'a', content: [image], is_error: true };
    const edit: Edit = { kind: 'replace-content', blocks: [{ messageId, index: 0, block }] };
    expect(await rejection(context.edit([edit], WHY))).toMatchObject({ code: 'edit-refused' });
    expect(violationsOf(await context.request())).toEqual([]);
  });
});

describe('undo', () => {
  test.each(MODELS)(
    '%s: what was snipped is back, byte for byte but for thinking',
    async (model) => {
      const { context } = await talk(model);
      const before = JSON.stringify(context.view().messages.map(({ content }) => content));
      const [[from], [, to]] = [idOf(context, 0), idOf(context, 1)];
      const { entryIds } = await context.edit([rewind(from, to)], WHY);
      const { changedFrom } = await context.undo(entryIds[0] as string);
      expect(changedFrom).toBe(0);
      const isBound = model === BOUND || model === UNKNOWN;
      const after = JSON.stringify(context.view().messages.map(({ content }) => content));
      expect(after === before).toBe(!isBound); // bound thinking behind the snip went with it
      expect(violationsOf(await context.request())).toEqual([]);
      expect(context.entries().at(-1)).toMatchObject(
        isBound ? { by: 'context' } : { by: 'context', reason: 'undo' },
      );
    },
  );

  test.each([
    ['an id that is not there', () => 'nothing', 'unknown-entry'],
    ['a message', (entries: readonly Entry[]) => entries[1]?.id ?? '', 'not-an-edit'],
    [
      'what is undone already',
      (entries: readonly Entry[]) =>
        entries.findLast((each) => each.type === 'edit' && each.by === 'person')?.id ?? '',
      'already-undone',
    ],
  ])('%s is refused, and nothing has changed', async (_name, idFrom, code) => {
    const { context } = await talk(LATEST);
    const [[from], [, to]] = [idOf(context, 0), idOf(context, 1)];
    const { entryIds } = await context.edit([rewind(from, to)], WHY);
    await context.undo(entryIds[0] as string);
    const before = context.entries();
    const error = await rejection(context.undo(idFrom(before)));
    expect(error).toMatchObject({ code: 'edit-refused', cause: { code } });
    expect(context.entries()).toEqual(before);
  });
});

describe('M331: a message that stands before a reply whose request did not carry it', () => {
  // Siblings looked for: several messages, a reminder, a call in the reply, a head or an edit in between, a restart.
  const between: [string, (context: Context) => Promise<unknown>][] = [
    ['a message', (context) => context.user('Wait.')],
    ['two messages', async (context) => [await context.user('Wait.'), await context.user('Go.')]],
    ['a reminder', (context) => context.user('Time.', { origin: { kind: 'reminder' } })],
    ['another head', (context) => context.setHead({ system: 'You test.' })],
  ];

  test.each(between)(
    '%s: the thinking goes, the reply stays, also after a restart',
    async (_name, act) => {
      for (const model of MODELS) {
        const { context } = scene({ model });
        await context.user('Go.');
        await context.request();
        await context.reply(says(thinking('s0'), text('Begun.')));
        await context.user('On.');
        await context.request();
        await act(context);
        await context.reply(says(thinking('s1'), text('Step.'), call('a')));
        await context.results([{ toolUseId: 'a', content: 'out' }]);
        const entries = context.entries().map(serializeEntry).map(parseEntry);
        const request = await context.request();
        expect(violationsOf(request)).toEqual([]);
        const sent = JSON.stringify(request.messages);
        expect(sent).toContain('Step.');
        const isBound = model === BOUND || model === UNKNOWN;
        expect(sent.includes('Thought s1')).toBe(!isBound);
        const { system } = { system: context.view().head?.system };
        const again = createContext({
          ...{ model, system, entries, layers: [], tools: context.view().head?.tools },
        });
        expect(bytesOf(await again.request())).toEqual(bytesOf(request));
        await context.reply(says(thinking('s2'), text('Done.')));
        await context.user('More.');
        const next = await context.request();
        expect(violationsOf(next)).toEqual([]);
        expect(JSON.stringify(next.messages)).toContain('Thought s2');
      }
    },
  );
});
