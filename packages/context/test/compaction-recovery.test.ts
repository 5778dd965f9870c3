import type { Block } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { type CallModel, createContext } from '../src/index.ts';
import { compactingScene, fill, kindsOf, summarizer } from './compacting-support.ts';
import { BOUND, image, LATEST, rejection, says, text, violationsOf } from './support.ts';

const tooLong = () => new ModelError('prompt-too-long', 'The prompt does not fit.');
const overloaded = () => new ModelError('overloaded', 'Try again later.', { retryable: true });
const tooLargeAt = (messageIndex: number, blockIndex = 0) =>
  new ModelError('media-too-large', 'An image is too large.', {
    place: { messageIndex, blockIndex },
  });

/** As a client of a provider rejects: a status, and the provider's words. */
const refusedWith = (message: string): Error =>
  Object.assign(new Error(`400 ${message}`), {
    status: 400,
    error: { type: 'error', error: { type: 'invalid_request_error', message } },
  });

/** Rejects with these, in order, and then answers. */
function refusing(...errors: readonly Error[]) {
  const sent: string[] = [];
  const call: CallModel = async ({ messages }) => {
    const error = errors[sent.length];
    sent.push(JSON.stringify(messages));
    if (error) throw error;
    return says(text('Done.'));
  };
  return { call, sent };
}

describe('send where a request is refused (C13)', () => {
  test.each([LATEST, BOUND])('compacts %s once and sends again', async (model) => {
    const { call, sent } = refusing(tooLong());
    const { context, events } = compactingScene({}, { call, model });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await fill(context, 'k1');
    events.length = 0;
    const reply = await context.send();
    expect(reply.content).toEqual([text('Done.')]);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.length).toBeLessThan(sent[0]?.length as number);
    expect(kindsOf(events)).toEqual([
      'compact idle below-threshold',
      'compaction-started',
      'compact edited refused-as-too-long',
      'compaction-ended',
      'compact recovered',
      'compact idle below-threshold',
    ]);
    await context.user('Go on.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('shows the error at once where it is not to be made smaller', async () => {
    const refused = tooLong();
    const { call, sent } = refusing(refused);
    const { context } = compactingScene({ reactive: false }, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    expect(await rejection(context.send())).toBe(refused);
    expect(await context.recover(refused)).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test('shows the first error where the second request is refused, too, and tries again in the next turn', async () => {
    const [first, second, third] = [tooLong(), tooLong(), tooLong()];
    const { call, sent } = refusing(first, second, third);
    const { context, events } = compactingScene({}, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    expect(await rejection(context.send())).toBe(first);
    expect(kindsOf(events)).toContain('compact idle already-tried');
    expect(sent).toHaveLength(2);
    await context.user('Once more.');
    await fill(context, 'k1');
    expect((await context.send()).content).toEqual([text('Done.')]);
    expect(sent).toHaveLength(4);
  });

  test('another error is the one that is shown', async () => {
    const down = overloaded();
    const { call, sent } = refusing(tooLong(), down);
    const { context } = compactingScene({}, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    expect(await rejection(context.send())).toBe(down);
    expect(sent).toHaveLength(2);
  });

  test.each([
    { name: 'without a compaction', given: { compaction: undefined } },
    { name: 'where the automatic one is off', given: {}, switches: { auto: false } },
    { name: 'where all of it is off', given: {}, switches: { enabled: false } },
  ])('rejects as the call does $name', async ({ given, switches = {} }) => {
    const error = tooLong();
    const { call, sent } = refusing(error);
    const { context } = compactingScene({ switches: () => switches }, { call, ...given });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    const before = context.view().messages;
    expect(await rejection(context.send())).toBe(error);
    expect(context.view().messages).toEqual(before);
    expect(sent).toHaveLength(1);
  });

  test('works where only refused requests lead to a compaction', async () => {
    const { call, sent } = refusing(tooLong());
    const { context } = compactingScene({ switches: () => ({ reactiveOnly: true }) }, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await context.send();
    expect(sent).toHaveLength(2);
  });

  test('case 52: an image that is too large becomes a text, the original stays in the log', async () => {
    const { call, sent } = refusing(tooLargeAt(0, 1));
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize }, { call });
    await context.user([text('What is on it?'), image]);
    await context.send();
    expect(requests).toEqual([]);
    expect([sent[0], sent[1]].map((each) => each?.includes('AAAA'))).toEqual([true, false]);
    expect(sent[1]).toContain('What is on it?');
    expect(JSON.stringify(context.entries())).toContain('AAAA');
    const edit = context.entries().findLast(({ type }) => type === 'edit');
    expect(edit).toMatchObject({
      by: 'compact',
      reason: 'media-too-large',
      receipt: {
        tokensBefore: expect.any(Number),
        tokensAfter: expect.any(Number),
        strippedBlocks: [{ index: 1 }],
        droppedThinking: 0,
      },
    });
    const { tokensBefore, tokensAfter } = (edit as { receipt: Record<string, number> }).receipt;
    expect(tokensAfter).toBeLessThan(tokensBefore as number);
    await context.user('And now?');
    const next = await context.request();
    expect(violationsOf(next)).toEqual([]);
    expect(JSON.stringify(next.messages)).not.toContain('AAAA');
  });

  const BAD: Block = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'BBBB' },
  };

  test.each([
    'Could not process image',
    'messages.0.content.0.image.source.base64.data: invalid base64 data',
    'messages.2.content.0.image.source.base64: Image does not match the provided media type image/png',
    'The PDF specified was not valid.',
    'You uploaded an unsupported image. Please make sure your image has of one the following formats: png.',
  ])('case 52: what the provider cannot read becomes a text, once: %s', async (words) => {
    const { requests, summarize } = summarizer();
    let refused = 0;
    const sent: string[] = [];
    const { context, events } = compactingScene(
      { summarize, percent: undefined },
      {
        models: [],
        call: async ({ messages }) => {
          const written = JSON.stringify(messages);
          sent.push(written);
          if (!written.includes('BBBB')) return says(text('Done.'));
          refused += 1;
          throw refusedWith(words.replace('messages.0.content.0', 'messages.2.content.0'));
        },
      },
    );
    await context.user([text('What is on it?'), image]);
    await context.send();
    await context.user([BAD, text('And on that?')]);
    expect((await context.send()).content).toEqual([text('Done.')]);
    expect([refused, requests]).toEqual([1, []]);
    expect(sent.at(-1)).toContain('AAAA');
    expect(sent.at(-1)).toContain('And on that?');
    expect(JSON.stringify(context.entries())).toContain('BBBB');
    expect(context.entries().findLast(({ type }) => type === 'edit')).toMatchObject({
      ...{ by: 'compact', reason: 'media-unreadable' },
    });
    expect(kindsOf(events)).toContain('compact recovered');
    await context.user('Go on.');
    expect(violationsOf(await context.request())).toEqual([]);
  });

  test('case 52: a second picture that cannot be read goes with all that is new', async () => {
    const at = (place: string) => refusedWith(`${place}: Could not process image`);
    const { call, sent } = refusing(at('messages.0.content.0'), at('messages.0.content.1'));
    const { context } = compactingScene({ percent: undefined }, { call, models: [] });
    await context.user([image, BAD, text('Look.')]);
    expect((await context.send()).content).toEqual([text('Done.')]);
    expect(sent.map((each) => [each.includes('AAAA'), each.includes('BBBB')])).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  test('where nothing can be taken out the refusal is shown, and nothing is compacted', async () => {
    const error = refusedWith('Could not process image');
    const { call } = refusing(error);
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize }, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    expect(await rejection(context.send())).toBe(error);
    expect(requests).toEqual([]);
  });

  test('media first, then a compaction; at most two requests more', async () => {
    const { call, sent } = refusing(tooLargeAt(0, 1), tooLong(), tooLong());
    const { context } = compactingScene({}, { call });
    await context.user([text('What is on it?'), image]);
    await fill(context, 'k0');
    const error = await rejection(context.send());
    expect(ModelError.is(error) && error.code).toBe('media-too-large');
    expect(sent).toHaveLength(3);
  });

  test('errors of other kinds that say it is too long are known', async () => {
    const plain = Object.assign(new Error('prompt is too long: 210000 tokens > 200000 maximum'), {
      status: 400,
    });
    const { call, sent } = refusing(plain);
    const { context } = compactingScene({}, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await context.send();
    expect(sent).toHaveLength(2);
  });

  test('an aborted call is no refusal', async () => {
    const abort = new AbortController();
    const call: CallModel = async () => {
      abort.abort();
      throw tooLong();
    };
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize }, { call });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    await rejection(context.send({ signal: abort.signal }));
    expect(requests).toEqual([]);
  });
});

describe('recover', () => {
  test('does the same around a call of one’s own', async () => {
    const { context } = compactingScene();
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    const refused = await context.request();
    expect(await context.recover(tooLong())).toBe(true);
    const next = await context.request();
    expect(JSON.stringify(next).length).toBeLessThan(JSON.stringify(refused).length);
    expect(await context.recover(tooLong())).toBe(false);
    expect(await context.recover(overloaded())).toBe(false);
    await context.reply(says(text('Done.')));
  });

  test('is false without a compaction', async () => {
    const context = createContext({ model: LATEST });
    await context.user('Fix the parser.');
    expect(await context.recover(tooLong())).toBe(false);
  });

  test('is false where nothing could be made smaller, and the conversation is as it was', async () => {
    const { context, events } = compactingScene();
    await context.user('Fix the parser.');
    const before = context.view().messages;
    expect(await context.recover(tooLong())).toBe(false);
    expect(context.view().messages).toEqual(before);
    expect(kindsOf(events)).toEqual([
      'compaction-started',
      'compaction-ended',
      'compact failed nothing-to-compact',
      'compact idle compaction-failed',
    ]);
  });
});
