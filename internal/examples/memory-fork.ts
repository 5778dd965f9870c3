import '../src/stand-in-provider.ts';
import Anthropic from '@anthropic-ai/sdk';
import { type CallModel, createContext } from '@varve/context';
import { createFork } from '@varve/fork-agent';
import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { extractionTools, type RunFork } from '@varve/memdir/extract';
import { send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';

const client = createAnthropicClient({ sdk: new Anthropic() });
const call: CallModel = (request, options) => send(client, request, options);
const memory = createMemdir({ folder: inMemoryFolder(), now: Date.now });
const runFork: RunFork = async ({ directive, canUseTool, runTool, maxTurns, signal }) => {
  const last = context.lastRequest();
  if (last === undefined) return { kind: 'failed', reason: 'nothing was sent yet' };
  const fork = createFork({ client, parent: last.request, reply: last.reply, tools: runTool });
  const child = await fork.run({ directive, canUseTool, maxTurns, signal });
  const isEnd = ['end', 'empty', 'turn-limit'].includes(child.stopReason);
  if (!isEnd) return { kind: 'failed', reason: child.stopReason, cause: child.error };
  return { kind: 'done', usage: child.usage, turns: child.turns };
};
const context = createContext({
  model: 'claude-opus-5-5',
  tools: extractionTools(), // with your own: save_memory and read_memory stand in the prefix that the fork shares
  call,
  memory: { memory, extraction: { runFork, timeoutMs: 60_000 } },
});

await context.user('Releases go out on Tuesdays only.');
await context.send();
await context.close();
const ran = context.usage().callers.map(({ by }) => by);
if (!ran.includes('memory')) throw new Error(`The fork did not run: ${ran}.`);
process.exit(0);
