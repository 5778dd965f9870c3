import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallModel, createContext } from '@varve/context';
import { createMemdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import { createModelStream, type ModelClient, send } from '@varve/models';

// stands for a provider, so that this runs without a key: it answers every request with a word
const client: ModelClient = {
  provider: 'example',
  stream: () =>
    createModelStream(async function* () {
      const content = [{ type: 'text', text: 'None.' }];
      const usage = { input_tokens: 40, output_tokens: 2 };
      const response = { id: 'r', model: 'any', content, stopReason: 'end_turn' as const, usage };
      yield { type: 'response-end', response } as const;
    }),
};
const call: CallModel = (request, options) => send(client, request, options);
const model = 'claude-opus-5-5';
const path = mkdtempSync(join(tmpdir(), 'memory-'));

const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
const extraction = { client, model: 'claude-haiku-4-5' }; // or { runFork }, which shares the cache
const context = createContext({ model, call, memory: { memory, extraction } });
await context.user('Releases go out on Tuesdays only.'); // recalls what fits
await context.send(); // looks through the turn behind the answer
await context.close(); // waits for it

console.log(
  context
    .usage()
    .callers.map(({ by }) => by)
    .sort(),
);
rmSync(path, { recursive: true });
