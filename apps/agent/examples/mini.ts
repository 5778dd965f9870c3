import { spawnSync } from 'node:child_process';
import Anthropic from '@anthropic-ai/sdk';
import { type CallModel, createContext } from '@varve/context';
import { type Entry, toolUses } from '@varve/messages';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import { openLog } from '@varve/transcript/node';

const [prompt = 'What is in this folder?', folder = '.mini'] = process.argv.slice(2);
const client = createAnthropicClient({ sdk: new Anthropic() });
const call: CallModel = async (request, options) => {
  const stream = client.stream(request, options);
  for await (const event of stream)
    if (event.type === 'text-delta') process.stdout.write(event.text);
  return stream.response();
};
const input_schema = { type: 'object', properties: { command: { type: 'string' } } };
const tools = [{ name: 'shell', description: 'Runs a command.', input_schema }];
const runShell = ({ command }: { readonly command?: unknown }) =>
  spawnSync('sh', ['-c', `(${command}) 2>&1`], { maxBuffer: 2 ** 26 }).stdout;

const entries: Entry[] = [];
const log = await openLog(`${folder}/log.jsonl`, { onEntry: (entry) => entries.push(entry) });
const storage = createToolStorage({ store: fileStore(`${folder}/results`), sessionId: 'mini' });
const ours = { tools, storage, call, log, entries, compaction: { summarize: call } };
const context = createContext({ model: 'claude-opus-5-5', ...ours });

await context.closeRound('The program was ended before this call gave a result.');
await context.user(prompt);
for (let calls = toolUses(await context.send()); calls[0]; calls = toolUses(await context.send()))
  for (const { id: toolUseId, name, input } of calls) {
    const isShell = name === 'shell';
    const content = isShell
      ? runShell(input as object)
      : (await storage.runReadTool(input)).content;
    await context.results([{ toolUseId, content }]);
  }
await log.close();
