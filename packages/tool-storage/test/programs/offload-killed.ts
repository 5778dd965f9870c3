import { appendFileSync, fsyncSync, openSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createToolStorage } from '../../src/index.ts';
import { fileStore, realFiles, type StoreFiles } from '../../src/node/index.ts';
import { longText } from '../long-text.ts';

// Offloads `count` results and writes each outcome into a log, one line each. Kills itself with SIGKILL at the `killAt`-th write,
// flush or rename: before it, or, where `half` is given, in the middle of a write and after anything else.
flushCompileCache(); // who is killed leaves none for the next
const [folder = '', count = '0', killAt = '0', half = ''] = process.argv.slice(2);
let operation = 0;

async function step<Result>(work: () => Promise<Result>): Promise<Result> {
  operation++;
  const isLast = operation === Number(killAt);
  if (isLast && half === '') process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
}

const files: StoreFiles = {
  ...realFiles,
  rename: (from, to) => step(() => realFiles.rename(from, to)),
  syncFolder: (path) => step(() => realFiles.syncFolder(path)),
  async create(path) {
    const file = await realFiles.create(path);
    return {
      write(bytes) {
        const isHalf = half !== '' && operation + 1 === Number(killAt);
        const part = bytes.subarray(0, isHalf ? Math.min(7, bytes.length) : 40_000);
        return step(() => file.write(part));
      },
      sync: () => step(file.sync),
      close: file.close,
    };
  },
};

const results = createToolStorage({
  store: fileStore(join(folder, 'results'), { files }),
  sessionId: 'session',
});
const log = openSync(join(folder, 'log.jsonl'), 'a');
for (let index = 0; index < Number(count); index++) {
  const content = longText(60_000, `result ${index}`);
  const outcome = await results.offload({ toolUseId: `t${index}`, toolName: 'bash', content });
  const handle = outcome.kind === 'stored' ? outcome.handle : '';
  appendFileSync(log, `${JSON.stringify({ index, kind: outcome.kind, handle })}\n`);
  fsyncSync(log);
  process.stdout.write(`${index}\n`);
}
