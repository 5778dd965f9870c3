import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { createContext } from '../../src/index.ts';
import { smallPercent, smallWindow } from '../small-window.ts';

// Goes on with the conversation in a folder for as long as it lives: a question, a round, an answer, again and again.
// It is compacted after every round. Each question that is in the log is printed.
flushCompileCache(); // who is killed leaves none for the next
const [folder = '', seed = '0'] = process.argv.slice(2);
const model = 'claude-opus-5-5';
const entries: Entry[] = [];
const log = await openLog(`${folder}/log.jsonl`, {
  lockWaitMs: 60_000,
  onEntry: (entry) => void entries.push(entry),
});
const context = createContext({
  model,
  models: [smallWindow(model, 1_500)],
  system: 'You fix tests.',
  layers: [],
  log,
  entries,
  compaction: {
    percent: smallPercent(1_500),
    async summarize() {
      await sleep(2);
      const content = [{ type: 'text', text: '<summary>Tests were run.</summary>' }];
      return { content, stopReason: 'end_turn' };
    },
  },
});
await context.closeRound('killed');
for (let turn = 0; ; turn++) {
  await context.user(`question ${seed}-${turn}`);
  process.stdout.write(`question ${seed}-${turn}\n`);
  await context.request();
  await context.reply({ content: [{ type: 'tool_use', id: 'k', name: 'bash', input: { turn } }] });
  await context.results([{ toolUseId: 'k', content: `${seed} line ${turn} `.repeat(500) }]);
  await context.request();
  await context.reply({ content: [{ type: 'text', text: `answer ${seed}-${turn}` }] });
}
