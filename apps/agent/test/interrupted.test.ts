import { createModelStream } from '@varve/models';
import { expect, test } from 'vitest';
import { tasksCommand } from '../src/commands/agents.ts';
import { interrupted, runTurn } from '../src/loop.ts';
import { connect } from '../src/model.ts';
import { lastOf, systemOf } from './agent-support.ts';
import { project } from './in-process.ts';
import { use } from './support.ts';

/** What is left of work that was stopped: for the model, and for the bill. */

test('A6: an agent that is interrupted leaves what it wrote and did, and its bill', async () => {
  const bench = await project({
    deltaCharacters: 20,
    eventDelayMs: 5,
    replies: (given) => {
      const isChild = systemOf(given).includes('You carry out one task');
      if (isChild && lastOf(given).includes('tool_result'))
        return `FOUND IT ${'and so on '.repeat(5_000)}`;
      if (isChild) return use('call_c', 'Bash', { command: 'echo looked' });
      if (lastOf(given).includes('begin'))
        return use('call_1', 'Task', {
          ...{ description: 'look', prompt: 'Look.', subagent_type: 'general' },
        });
      return 'Fine.';
    },
  });
  let arrived = '';
  const { session, say, context } = await bench.open({
    connect(model) {
      const connected = connect({ model, anthropicKey: 'any', baseUrl: bench.emulator.url });
      const { client } = connected;
      const stream: typeof client.stream = (request, options) =>
        createModelStream(async function* (signal) {
          for await (const event of client.stream(request, { ...options, signal })) {
            if (event.type === 'text-delta') arrived += event.text;
            yield event;
          }
        }, options?.signal);
      return { ...connected, client: { ...client, stream } };
    },
  });
  const stop = new AbortController();
  const turn = runTurn(session.agent, 'begin', stop.signal).catch((error: unknown) => error);
  await expect.poll(() => arrived.length, WAITING).toBeGreaterThan(300);
  stop.abort();
  expect(await turn).toMatchObject({ name: 'AbortError' });
  await interrupted(context);
  await say('Go on.');
  const result = JSON.stringify(bench.bodies().at(-1)?.messages);
  expect(result).toContain('The agent general-1 was stopped.');
  expect(result).toMatch(/FOUND IT and so on[^<]*What it did last:\\nBash \{[^<]*echo looked/);
  const lost = context.usage().callers.find(({ by }) => by === 'interrupted');
  expect(lost?.usage.output_tokens).toBeGreaterThan(5);
  expect(lost?.usage.cache_read_input_tokens).toBeGreaterThan(100);
});

test('F9: the model is told of a command that the person stops, and both give what it had printed', async () => {
  const bench = await project({
    replies: (given) => {
      const at = given.request.messages.filter(({ role }) => role === 'assistant').length;
      const bash = { command: 'echo begun; sleep 300', run_in_background: true };
      if (at === 0) return use('call_1', 'Bash', bash);
      if (at === 1) return use('call_2', 'Bash', { command: 'sleep 0.3' });
      if (at === 2) return use('call_3', 'TaskStop', { task_id: 'shell-1' });
      if (at === 3) return use('call_4', 'Bash', bash);
      if (at === 5) return use('call_5', 'TaskOutput', { task_id: 'shell-2' });
      return 'Fine.';
    },
  });
  const { session, say } = await bench.open();
  await say('begin');
  const sentNow = () => JSON.stringify(bench.bodies().at(-1)?.messages);
  expect(sentNow()).toContain('command shell-1 was stopped. It had printed since you asked last:');
  expect(sentNow()).toContain('\\n\\nbegun');
  await expect.poll(() => session.agents.shown('shell-2'), WAITING).toContain('begun');
  await tasksCommand.run({ words: 'stop shell-2', session, face: { show: () => {} } } as never);
  await say('Go on.');
  expect(sentNow()).toContain('The person stopped the background command shell-2');
  expect(sentNow()).toContain('It has ended (stopped).\\n\\nbegun');
});

test.each(['claude-opus-4-8', 'gpt-6.2-sol', 'deepseek-v4-pro'])(
  'A6: an answer of %s that is interrupted is billed: the prompt, most of it read from the cache, and what had arrived',
  async (model) => {
    const bench = await project({
      deltaCharacters: 20,
      eventDelayMs: 5,
      replies: (given) =>
        lastOf(given).includes('begin') ? `BEGIN ${'and so on '.repeat(2_000)}` : 'Fine.',
    });
    const baseUrl = `${bench.emulator.url}${model.startsWith('claude') ? '' : '/v1'}`;
    const { session, say, events, context } = await bench.open({
      model,
      connect: (id) => connect({ model: id, anthropicKey: 'any', openaiKey: 'any', baseUrl }),
    });
    await say('first');
    const first = context.usage();
    const stop = new AbortController();
    const turn = runTurn(session.agent, 'begin', stop.signal).catch((error: unknown) => error);
    await expect
      .poll(() => events.filter(({ kind }) => kind === 'text-delta').length, WAITING)
      .toBeGreaterThan(30);
    stop.abort();
    expect(await turn).toMatchObject({ name: 'AbortError' });
    await interrupted(context);
    const lost = context.usage().callers.find(({ by }) => by === 'interrupted');
    expect(lost?.calls).toBe(1);
    expect(lost?.dollars).toBeGreaterThan(0);
    expect(lost?.usage.output_tokens).toBeGreaterThan(100);
    const promptOf = (usage: typeof first.usage | undefined) =>
      usage === undefined
        ? 0
        : usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
    const share = promptOf(lost?.usage) / promptOf(first.usage);
    expect(share).toBeGreaterThan(0.95);
    expect(share).toBeLessThan(1.2);
    expect(lost?.usage.cache_read_input_tokens).toBeGreaterThan(0.8 * promptOf(first.usage));
  },
);

const WAITING = { timeout: 10_000, interval: 20 };
