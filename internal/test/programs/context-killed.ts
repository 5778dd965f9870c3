import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContext } from '@varve/context';
import type { Entry } from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { smallContext, type Way } from '../killed-context.ts';

// Goes on with the conversation in a log for as long as it lives: a question, rounds, an answer, again and again. Each entry that is
// written is printed, and `begun` and `done` around the writing of each summary, which takes a while.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', way = 'summary', seed = '0'] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);
const entries: Entry[] = [];
const log = await openLog(path, {
  durability: 'disk',
  lockWaitMs: 60_000,
  onEntry: (entry) => void entries.push(entry),
});

const options = smallContext(way as Way, async () => {
  print('begun');
  await sleep(10);
  print('done');
  const text = '<summary>The tests were run one by one; none of them failed.</summary>';
  return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
});
const context = createContext({
  ...options,
  entries,
  log: {
    async append(...added) {
      await log.append(...added);
      for (const { id } of added) print(`entry ${id}`);
    },
  },
});

await context.closeRound('killed');
for (let turn = 0; ; turn++) {
  await context.user(`question ${seed}-${turn}`);
  for (let round = 0; round < 3; round++) {
    await context.request();
    const id = `call-${seed}-${turn}-${round}`;
    await context.reply({ content: [{ type: 'tool_use', id, name: 'bash', input: { round } }] });
    await context.results([{ toolUseId: id, content: `line of ${id}\n`.repeat(60) }]);
  }
  await context.request();
  await context.reply({ content: [{ type: 'text', text: `answer ${seed}-${turn}` }] });
}
