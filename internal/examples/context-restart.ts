import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Summarize } from '@varve/compact';
import { type CallModel, createContext } from '@varve/context';
import type { Entry } from '@varve/messages';
import { createModelStream, type ModelClient, send } from '@varve/models';
import { createToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import { openLog } from '@varve/transcript/node';

// stands for a provider, so that this runs without a key
const client: ModelClient = {
  provider: 'example',
  stream: () =>
    createModelStream(async function* () {
      const content = [{ type: 'text', text: 'It works.' }];
      const usage = { input_tokens: 40, output_tokens: 9 };
      const end = { id: 'r', model: 'claude-opus-5-5', content, stopReason: 'end_turn' as const };
      yield { type: 'response-end', response: { ...end, usage } } as const;
    }),
};
const model = 'claude-opus-5-5';
const call: CallModel = (request) => send(client, request);
const folder = mkdtempSync(join(tmpdir(), 'varve-example-'));
const logPath = join(folder, 'log.jsonl');

// the run before the restart: it ended while a tool ran
const before = await openLog(logPath);
const bash = { type: 'tool_use', id: 'a', name: 'bash', input: {} };
const killed = createContext({ model, log: before, call: async () => ({ content: [bash] }) });
await killed.user('Does it work?');
await killed.send();
await before.close();

const entries: Entry[] = [];
const log = await openLog(logPath, { onEntry: (entry) => entries.push(entry) });
const storage = createToolStorage({ store: fileStore(folder), sessionId: 'main' });
const summarize: Summarize = (request, options) => send(client, request, options);
const context = createContext({ model, storage, call, log, entries, compaction: { summarize } });
await context.closeRound('killed'); // calls whose results were not written before the restart
await context.send(); // compacts at the threshold, and once where the provider says it is too long
const ofFork = { storage: storage.fork({ sessionId: 'fork' }), entries: context.entries() };
const fork = createContext({ model, ...ofFork });

console.log(
  context
    .view()
    .messages.map(({ role }) => role)
    .join(' '),
);
console.log(fork.view().messages.length);
await log.close();
rmSync(folder, { recursive: true });
