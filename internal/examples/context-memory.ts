import '../src/stand-in-provider.ts';
import Anthropic from '@anthropic-ai/sdk';
import { type CallModel, createContext } from '@varve/context';
import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';

const client = createAnthropicClient({ sdk: new Anthropic() });
const call: CallModel = (request, options) => send(client, request, options);
const memory = createMemdir({ folder: inMemoryFolder(), now: Date.now }); // or diskFolder(path)
const extraction = { client, model: 'claude-haiku-4-5' }; // or { runFork }, which shares the cache
const context = createContext({ model: 'claude-opus-5-5', call, memory: { memory, extraction } });
await context.user('Releases go out on Tuesdays only.'); // recalls what fits
await context.send(); // looks through the turn behind the answer
await context.close({ signal: AbortSignal.timeout(30_000) }); // waits for it, half a minute at most

const ran = context.usage().callers.map(({ by }) => by);
if (!ran.includes('memory')) throw new Error(`The extraction did not run: ${ran}.`);
process.exit(0);
