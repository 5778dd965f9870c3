import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  parseEntry,
  type Request,
  serializeEntry,
  toolUses,
} from '@varve/messages';
import { NO_OUTPUT } from '@varve/messages/fit';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../src/options.ts';
import {
  BOUND,
  call,
  LATEST,
  OPENAI,
  rejection,
  says,
  scene,
  text,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const MODELS = [BOUND, LATEST, OPENAI, UNKNOWN];
const repairsOf = (events: ReturnType<typeof scene>['events']) =>
  events.flatMap((event) => (event.kind === 'repaired' ? [[event.reason, event.count]] : []));

async function replied(model: string, reply: Reply) {
  const { context, events } = scene({ model });
  await context.user('Go.');
  await context.request();
  const message = await context.reply(reply);
  return { context, events, message, calls: toolUses(message) };
}

/** Every call gets a result by the id that the reply names, and the next request is valid. */
async function expectGoesOn({ context, calls }: Awaited<ReturnType<typeof replied>>) {
  for (const { id } of calls) await context.results([{ toolUseId: id, content: `of ${id}` }]);
  expect(violationsOf(await context.request())).toEqual([]);
}

// M335. Siblings looked for: ids that are no text or missing, ids that a renamed call would take, the same id in a later round.
describe('M335: a reply whose calls share ids, or have none, is not lost', () => {
  test.each(MODELS)(
    "%s: four calls `''`, `''`, `x`, `x` have four ids and four results",
    async (model) => {
      const reply = says(call(''), call(''), call('x'), call('x'));
      const scene = await replied(model, reply);
      const ids = scene.calls.map(({ id }) => id);
      expect(ids).toEqual(['call_1', 'call_2', 'x', 'x_1']);
      expect(repairsOf(scene.events)).toEqual([['call-ids', 3]]);
      await expectGoesOn(scene);
    },
  );

  test('an id that another call of the reply has is not given again', async () => {
    const scene = await replied(BOUND, says(call('x'), call('x'), call('x_1'), call('x')));
    expect(scene.calls.map(({ id }) => id)).toEqual(['x', 'x_2', 'x_1', 'x_3']);
    await expectGoesOn(scene);
  });

  test.each([undefined, null, 5])('an id that is %j counts as none', async (id) => {
    const odd = { ...call('a'), id } as unknown as Block;
    const scene = await replied(BOUND, says(odd, call('b')));
    expect(scene.calls.map((each) => each.id)).toEqual(['call_1', 'b']);
    await expectGoesOn(scene);
  });

  test('ids of their own stay, in a later round too, and nothing is said', async () => {
    const scene = await replied(BOUND, says(call('a'), call('b')));
    await expectGoesOn(scene);
    await scene.context.reply(says(call('a'), call('b')));
    await scene.context.closeRound('aborted');
    expect(violationsOf(await scene.context.request())).toEqual([]);
    expect(repairsOf(scene.events)).toEqual([]);
  });
});

// M332. Siblings looked for: every kind of input that is no object, text that is JSON of an object and of something else.
describe('M332: a call whose input is no object goes back as one', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing', null, { input: null }],
    ['a missing input', undefined, { input: null }],
    ['text that was cut off', '{"file', { input: '{"file' }],
    ['text of an object', '{"file":"a.ts"}', { file: 'a.ts' }],
    ['text of a list', '["a.ts"]', { input: '["a.ts"]' }],
    ['a list', ['a.ts'], { input: ['a.ts'] }],
    ['a number', 5, { input: 5 }],
  ])('%s', async (_name, input, shown) => {
    for (const model of [BOUND, LATEST, UNKNOWN]) {
      const scene = await replied(model, says({ ...call('a'), input }));
      expect(scene.calls[0]?.input).toEqual(shown);
      expect(repairsOf(scene.events)).toEqual([['call-inputs', 1]]);
      await expectGoesOn(scene);
    }
  });

  test('a provider that takes text as an input has it back; a switch to one that does not puts it into an object, once', async () => {
    const scene = await replied(OPENAI, says(text('Step.'), { ...call('a'), input: '{"file' }));
    expect(scene.calls[0]?.input).toBe('{"file');
    await scene.context.results([{ toolUseId: 'a', content: 'out' }]);
    await scene.context.setHead({ model: LATEST });
    const request = await scene.context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).toContain('"input":{"input":"{\\"file"}');
    expect(repairsOf(scene.events)).toEqual([['call-inputs', 1]]);
    const edits = scene.context.entries().filter(({ type }) => type === 'edit');
    expect(edits).toMatchObject([{ by: 'context', reason: 'other-provider' }]);
    await scene.context.request();
    expect(scene.context.entries().filter(({ type }) => type === 'edit')).toEqual(edits);
  });
});

// A3. Siblings looked for: ids and names, the switch and the restart, a provider that takes them, the request of a summary.
describe('M332: ids and names that Claude refuses, of a reply of another provider', () => {
  const ODD = [call('call_x|fc_y'), call('functions.bash:0'), call('c', 'functions.bash')];

  async function answered() {
    const scene = await replied(OPENAI, says(text('Step.'), ...ODD));
    for (const { id } of scene.calls) {
      await scene.context.results([{ toolUseId: id, content: `of ${id}` }]);
    }
    return scene;
  }
  const idsOf = ({ messages }: { readonly messages: readonly Message[] }) =>
    messages.flatMap(({ content }) =>
      content.map((block) =>
        isToolResult(block) ? block.tool_use_id : isToolUse(block) && block.id,
      ),
    );

  test('the provider that made them has them back; after a switch call and result go out under the same others', async () => {
    const { context, events } = await answered();
    expect(idsOf(await context.request())).toContain('call_x|fc_y');
    await context.setHead({ model: BOUND });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).toContain('of call_x|fc_y');
    expect(repairsOf(events).filter(([reason]) => reason === 'call-ids')).toHaveLength(2);
    const again = await context.request();
    expect(again.messages).toEqual(request.messages);
    expect(repairsOf(events).filter(([reason]) => reason === 'call-ids')).toHaveLength(2);
    await context.reply(says(call('toolu_1')));
    await context.results([{ toolUseId: 'toolu_1', content: 'out' }]);
    const next = await context.request();
    expect(next.messages.slice(0, request.messages.length)).toEqual(request.messages);
    expect(events.filter(({ kind }) => kind === 'unexpected-break' || kind === 'failed')).toEqual(
      [],
    );
  });

  test('after a restart with another model, too, and the same bytes each time', async () => {
    const { context } = await answered();
    const entries = context.entries().map(serializeEntry);
    const sent = await Promise.all(
      [1, 2].map(() => scene({ model: BOUND, entries: entries.map(parseEntry) }).context.request()),
    );
    expect(violationsOf(sent[0] as Request)).toEqual([]);
    expect(sent[0]?.messages).toEqual(sent[1]?.messages);
  });
});

// A2. Siblings looked for: text, lists, blank blocks, media only; and a log of before, which holds what came.
describe('a failed tool without output is sent with words of ours', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } };

  test.each<[string, string | readonly Block[]]>([
    ['an empty text', ''],
    ['white space', '  '],
    ['no block', []],
    ['a blank block', [text(' ')]],
    ['media only', [image]],
  ])('%s', async (_name, content) => {
    for (const model of [BOUND, LATEST, UNKNOWN]) {
      const { context } = await replied(model, says(call('a'), call('b')));
      await context.results([{ toolUseId: 'a', content, isError: true }]);
      await context.results([{ toolUseId: 'b', content: [text(' ')] }]);
      const request = await context.request();
      expect(violationsOf(request)).toEqual([]);
      expect(JSON.stringify(request.messages)).toContain(NO_OUTPUT);
    }
  });

  test('of a log that holds one, without a change of the log', async () => {
    const { context } = await replied(BOUND, says(call('a')));
    await context.results([{ toolUseId: 'a', content: 'x', isError: true }]);
    const lines = context.entries().map(serializeEntry);
    const old = lines.map((line) => parseEntry(line.replace('"content":"x"', '"content":" "')));
    const { context: later, events } = scene({ model: BOUND, entries: old });
    expect(violationsOf(await later.request())).toEqual([]);
    expect(repairsOf(events)).toEqual([['failed-results', 1]]);
    expect(later.entries()).toHaveLength(old.length);
  });
});

test.each([BOUND, LATEST])(
  'media that OpenAI took goes to %s as a text that says so, and stays in the log',
  async (model) => {
    const csv = {
      type: 'document',
      source: { type: 'base64', media_type: 'text/csv', data: 'YSxi' },
    };
    const { context, events } = scene({ model: OPENAI });
    await context.user([csv]);
    const first = await context.request();
    expect(first.messages[0]?.content).toEqual([csv]);
    await context.reply(says(call('a')));
    await context.results([{ toolUseId: 'a', content: [csv] }]);
    await context.setHead({ model });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages).split('of type text/csv stood here')).toHaveLength(3);
    expect(repairsOf(events)).toEqual([
      ['media', 1],
      ['media', 1],
    ]);
    expect(context.view().messages[0]?.content).toEqual([csv]);
  },
);

test('M332: an input that is written as a text goes back in an object', async () => {
  const given = [
    { ...call('a'), input: new Date(0) },
    { ...call('b'), input: { toJSON: () => [1] } },
  ];
  const scene = await replied(BOUND, says(...given));
  expect(scene.calls.map(({ input }) => input)).toEqual([
    { input: '1970-01-01T00:00:00.000Z' },
    { input: [1] },
  ]);
  await expectGoesOn(scene);
});

// B4. Siblings looked for: names that are empty, null or missing, thinking without a signature or without its text, blocks that are
// none or that no reply holds, providers that sign nothing, replies of which nothing is left, bills of replies that are refused.
describe('M335: one odd block does not cost the reply', () => {
  const usage = { input_tokens: 100, output_tokens: 7 };
  const odd = (fields: object) => fields as Block;

  test.each<[string, Block, string]>([
    ['a call with an empty name', call('x', ''), 'blocks'],
    ['a call whose name is null', odd({ ...call('x'), name: null }), 'blocks'],
    ['a call without a name', odd({ type: 'tool_use', id: 'x', input: {} }), 'blocks'],
    ['nothing', null as never, 'blocks'],
    ['a block without a type', odd({}), 'blocks'],
    ['a text that is a number', odd({ type: 'text', text: 5 }), 'blocks'],
    ['an image', odd({ type: 'image', source: { type: 'url', url: 'https://x' } }), 'blocks'],
    ['a result', odd({ type: 'tool_result', tool_use_id: 'a', content: '' }), 'blocks'],
    ['thinking without a signature', odd({ type: 'thinking', thinking: 'x' }), 'half-thoughts'],
    [
      'a signature that is null',
      odd({ ...odd({ type: 'thinking' }), thinking: 'x', signature: null }),
      'half-thoughts',
    ],
    ['thinking without its text', odd({ type: 'thinking', signature: 's' }), 'half-thoughts'],
    ['redacted thinking without data', odd({ type: 'redacted_thinking' }), 'half-thoughts'],
  ])('%s is left out, text, other calls and the bill stay', async (_name, block, reason) => {
    for (const model of [...MODELS, 'deepseek-v4-pro']) {
      const reply = { ...says(block, text('Two files.'), call('a'), call('b')), usage };
      const scene = await replied(model, reply);
      expect(scene.message.content).toEqual([text('Two files.'), call('a'), call('b')]);
      expect(repairsOf(scene.events)).toEqual([[reason, 1]]);
      expect(scene.context.usage().calls).toBe(1);
      await expectGoesOn(scene);
    }
  });

  test('a reply of which nothing is left is refused, and its bill counts; it can be sent again', async () => {
    for (const content of [[call('x', '')], [text(' ')]]) {
      const { context } = scene({ model: LATEST });
      await context.user('Go.');
      const before = await context.request();
      const thrown = await rejection(context.reply({ content, usage }));
      expect(`${(thrown as { code: string }).code}`).toMatch(/malformed-reply|empty-reply/);
      expect(context.usage()).toMatchObject({
        calls: 1,
        usage: { input_tokens: 100, output_tokens: 7 },
      });
      const again = await context.request();
      expect(again.messages).toEqual(before.messages);
      await context.reply({ ...says(text('Done.')), usage });
      expect(context.usage().calls).toBe(2);
      const entries = context.entries().map(serializeEntry).map(parseEntry);
      expect(scene({ model: LATEST, entries }).context.usage().calls).toBe(2);
    }
  });
});
