import { flushCompileCache } from 'node:module';
import { realFiles, type StoreFiles } from '@varve/tool-storage/node';
import { createSessionMemory } from '../../src/index.ts';
import { notesFile } from '../../src/node/index.ts';
import { createTestLog, noteTaker, words } from '../support.ts';

// Takes notes `count` times, each time larger ones, and prints a line when one is in place. Kills itself with SIGKILL at the
// `killAt`-th call of the file system: before it, or, where `half` is given, in the middle of a write and after anything else.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', count = '0', killAt = '0', half = ''] = process.argv.slice(2);
let operation = 0;

async function step<Result>(work: () => Promise<Result>): Promise<Result> {
  operation++;
  const isLast = operation === Number(killAt);
  if (isLast && half === '') process.kill(process.pid, 'SIGKILL');
  try {
    return await work();
  } finally {
    if (isLast) process.kill(process.pid, 'SIGKILL');
  }
}

const stepped =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  (...args: Args) =>
    step(() => work(...args));

const files: StoreFiles = {
  rename: stepped(realFiles.rename),
  remove: stepped(realFiles.remove),
  makeFolder: stepped(realFiles.makeFolder),
  removeFolder: stepped(realFiles.removeFolder),
  syncFolder: stepped(realFiles.syncFolder),
  names: stepped(realFiles.names),
  stat: stepped(realFiles.stat),
  read: stepped(realFiles.read),
  async create(given) {
    const file = await step(() => realFiles.create(given));
    return {
      write(bytes) {
        const isHalf = half !== '' && operation + 1 === Number(killAt);
        return step(() => file.write(bytes.subarray(0, isHalf ? 7 : 5_000)));
      },
      sync: stepped(file.sync),
      close: stepped(file.close),
    };
  },
};

let taken = 0;
const memory = createSessionMemory({
  file: notesFile(path, { files }),
  runFork: noteTaker(() => ({
    '# Title': `notes ${taken}`,
    '# Worklog': words(1_500, `${taken}`),
  })),
});
await memory.settle();
const log = createTestLog(memory.observe);
log.user('go on');
const known = await memory.notes();
const first = Number(/notes (\d+)/.exec(known ?? '')?.[1] ?? 0);
for (taken = first + 1; taken <= first + Number(count); taken++) {
  const result = await memory.extractNow();
  process.stdout.write(`${result.kind === 'extracted' ? taken : result.reason}\n`);
}
