import Anthropic from '@anthropic-ai/sdk';
import { startEmulator } from '@varve/emulator';
import { createAnthropicClient } from '@varve/models/anthropic';
import { expect, onTestFinished, test } from 'vitest';
import { agentFork } from '../src/agent.ts';
import { fileText, quote, sessionsOf, testDream } from './support.ts';

const MODEL = 'claude-opus-5-5';
const SAID = 'Postgres listens on port 5432.';
const input = {
  ...{ path: 'port.md', body: SAID, reason: 'it moved', quotes: [quote('s1', SAID)] },
  removes: [{ quote: 'port 5433', source: 's1', by: SAID }],
};
const call = (name: string, given: object) => ({
  content: [{ type: 'tool_use', name, input: given }],
});
const PORT = fileText('Port', 'Postgres listens on port 5433.');

async function dreamWith(replies: readonly unknown[], options = {}) {
  const emulator = await startEmulator({ replies: replies as never, ...options });
  onTestFinished(() => emulator.close());
  const sdk = new Anthropic({ baseURL: emulator.url, apiKey: 'any', maxRetries: 0 });
  const client = createAnthropicClient({ sdk, maxRetries: 0 });
  const runFork = agentFork({ client, model: MODEL, maxOutputTokens: 1_000 });
  const test = testDream({ 'port.md': PORT }, { runFork, sessions: sessionsOf({ s1: [SAID] }) });
  return { emulator, ...test };
}

test('E3 E4 a model over the wire: refused, told why, tries again, and the file is put right', async () => {
  const { dream, emulator, textOf } = await dreamWith([
    call('Bash', { command: 'rm -rf /' }),
    call('rewrite_memory', { ...input, removes: [] }),
    call('rewrite_memory', input),
    'The port was put right.',
  ]);
  const result = await dream.dreamNow();
  expect(result).toMatchObject({
    ...{ kind: 'completed' },
    report: { improved: 1, usage: { output_tokens: expect.any(Number) } },
  });
  expect(await textOf('port.md')).toContain('5432');
  expect(emulator.requests).toHaveLength(4);
  const bodies = emulator.requests.map(({ body }) => new TextDecoder().decode(body));
  expect(bodies[2]).toContain('would be lost');
  expect(bodies[0]).toContain('merge_memories');
  expect(dream.progress().turns.at(-1)?.text).toBe('The port was put right.');
});

test('a provider that fails leaves memory as it was', async () => {
  const { dream, textOf, folder } = await dreamWith(
    [call('rewrite_memory', input), 'Never sent.'],
    {
      faults: [{ kind: 'status', status: 500, requests: [1, 2] }],
    },
  );
  expect(await dream.dreamNow()).toMatchObject({ kind: 'failed', reason: 'fork-failed' });
  expect(await textOf('port.md')).toBe(PORT);
  expect((await folder.list('.archive')).files).toEqual([]);
});
