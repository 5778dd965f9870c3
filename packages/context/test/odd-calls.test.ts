import { type Block, toolUses } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../src/index.ts';
import {
  BOUND,
  call,
  LATEST,
  OPENAI,
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
