import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { Entry } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import { openLog } from '@varve/transcript/node';
import { createContext } from '../../src/index.ts';

// Goes on with the conversation in a folder for as long as it lives: rounds with small and large results. What it
// intends to store is noted beside the log beforehand, by hash; each round that is in the log is printed.
flushCompileCache(); // who is killed leaves none for the next
const SIZES = [9_000, 900, 20_000, 3_000];
const [folder = '', seed = '0'] = process.argv.slice(2);
const entries: Entry[] = [];
const log = await openLog(`${folder}/log.jsonl`, {
  lockWaitMs: 60_000,
  onEntry: (entry) => void entries.push(entry),
});
const storage = createToolStorage({
  store: fileStore(`${folder}/results`),
  sessionId: 'session',
  threshold: 4_000,
  textThreshold: 4_000,
  roundChars: 12_000,
  preview: { maxChars: 400 },
});
const context = createContext({
  model: 'claude-opus-4-8',
  system: 'You fix tests.',
  storage,
  entries,
  log,
  layers: [
    {
      name: 'microcompact',
      planner: createMicrocompact({
        preset: 'classic',
        keepRecent: 2,
        minSavingsTokens: 1_500,
        count: { candidateTokens: 100 },
      }),
    },
  ],
});
await context.closeRound('killed');
const last = context.view().messages.at(-1);
if (last?.role !== 'user') {
  const asked = output(`asked ${seed}`, 9_000);
  note(asked);
  await context.user(asked);
}
for (let round = 0; ; round++) {
  await context.request();
  const ids = Array.from({ length: 1 + (round % 3) }, (_, index) => `k${index}`);
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: { round } }));
  await context.reply({ content });
  const outputs = ids.map((toolUseId, index) => ({
    toolUseId,
    content: output(
      `${seed} ${round} ${toolUseId}`,
      SIZES[(round + index) % SIZES.length] as number,
    ),
  }));
  for (const each of outputs) note(each.content);
  await context.results(outputs);
  process.stdout.write(`${seed}-${round}\n`);
}

function note(whole: string): void {
  const hash = createHash('sha256').update(whole).digest('hex');
  appendFileSync(`${folder}/intended.txt`, `${hash}\n`);
}

function output(name: string, chars: number): string {
  const lines = Array.from({ length: Math.ceil(chars / 40) }, (_, line) => `${name} line ${line}`);
  return lines.map((line) => line.padEnd(39, '.')).join('\n');
}
