import { anthropicProfile, checkRequest, type Message } from '@varve/messages';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../src/progress.ts';
import { call, HEAD, type Reply, requestOf, scripted, text } from './support.ts';

function stateOf(
  words: number,
  since: readonly Message[] = [],
): Parameters<ReturnType<typeof createProgress>['summarize']>[0] {
  const messages: Message[] = [{ id: 'u', role: 'user', content: [text('word '.repeat(words))] }];
  const sent = placeMarkers(requestOf(messages), { policy: cachePolicy(HEAD.model) });
  return { sent, sentMs: 0, since };
}

const reply: Message = { id: 'a', role: 'assistant', content: [text('Now.'), call('x')] };

function progressOf(replies: readonly Reply[], cheapReplies: readonly Reply[] = replies) {
  const clock = { ms: 0 };
  const client = scripted(replies);
  const cheapClient = scripted(cheapReplies);
  const cheap = { model: 'claude-haiku-4-5', client: cheapClient };
  const progress = createProgress({ client, cheap, now: () => clock.ms });
  return { progress, clock, client, cheapClient };
}

describe('createProgress (F8)', () => {
  test('asks a cheap model about the tail where the conversation is long, in a valid request', async () => {
    const { progress, client, cheapClient } = progressOf(['Reading tests in a.ts']);
    const result = await progress.summarize(stateOf(100_000, [reply]));
    expect(result).toMatchObject({ kind: 'summary', text: 'Reading tests in a.ts', via: 'tail' });
    expect(client.asked).toHaveLength(0);
    const request = cheapClient.asked[0];
    expect(JSON.stringify(request).length).toBeLessThan(4_000);
    const profile = anthropicProfile({ thinking: 'free' });
    expect(checkRequest(request ?? { messages: [], maxOutputTokens: 1 }, profile)).toEqual([]);
  });

  test('forks on the own model where the cache is warm and the conversation short, with the same prefix', async () => {
    const { progress, client } = progressOf(['Reading tests in a.ts']);
    const cheapIsDear = createProgress({
      client,
      cheap: { model: 'unknown-model' },
      now: () => 0,
    });
    const state = stateOf(2_000, [reply]);
    expect(await cheapIsDear.summarize(state)).toMatchObject({ kind: 'summary', via: 'fork' });
    const request = client.asked[0];
    expect(request?.head).toBe(state.sent.head);
    expect(request?.messages[0]).toBe(state.sent.messages[0]);
    const profile = anthropicProfile({ thinking: 'prefix-bound' });
    expect(checkRequest(request ?? { messages: [], maxOutputTokens: 1 }, profile)).toEqual([]);
    expect(progress).toBeDefined();
  });

  test.each([
    { ms: 29_999, since: [reply], expected: { kind: 'none', reason: 'too-soon' } },
    { ms: 30_000, since: [reply], expected: { kind: 'summary' } },
    { ms: 30_000, since: [], expected: { kind: 'none', reason: 'nothing-new' } },
  ])('after $ms ms with $since.length new messages gives $expected', async (row) => {
    const { progress, clock } = progressOf(['Reading a.ts now', 'Reading b.ts now']);
    await progress.summarize(stateOf(100_000));
    clock.ms = row.ms;
    expect(await progress.summarize(stateOf(100_000, row.since))).toMatchObject(row.expected);
  });

  test('goes on where the clock was set back', async () => {
    const { progress, clock } = progressOf(['Reading a.ts now', 'Reading b.ts now']);
    const state = { ...stateOf(100_000), sentMs: 5_000_000 };
    clock.ms = 5_000_000;
    await progress.summarize(state);
    clock.ms = 1_000_000;
    const later = { ...state, since: [reply] };
    expect(await progress.summarize(later)).toMatchObject({ kind: 'summary' });
    expect(await progress.summarize(later)).toMatchObject({ reason: 'too-soon' });
  });

  test('reports a failure and tries the same again later', async () => {
    const { progress, clock } = progressOf([], [new Error('down'), 'Reading a.ts now']);
    const state = stateOf(100_000, [reply]);
    expect(await progress.summarize(state)).toMatchObject({ kind: 'failed' });
    clock.ms = 30_000;
    expect(await progress.summarize(state)).toMatchObject({ kind: 'summary' });
  });

  test.each([[[call('x')]], ['x'.repeat(81)]])('shows no summary for %j', async (answer) => {
    const { progress } = progressOf([answer]);
    const result = await progress.summarize(stateOf(100_000, [reply]));
    expect(result).toEqual({ kind: 'none', reason: 'no-text' });
  });

  test('an abort rejects', async () => {
    const { progress } = progressOf(['x']);
    const run = progress.summarize(stateOf(10), { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });
});
