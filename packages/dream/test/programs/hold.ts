// Dreams in a folder with a child that hangs after its first change, until it is killed: <folder>
import { createMemdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import { createDream } from '../../src/index.ts';
import { consolidateLock } from '../../src/node/index.ts';

const [folder = ''] = process.argv.slice(2);
const now = () => Date.parse('2026-11-30T12:00:00Z');
const memory = createMemdir({ folder: diskFolder(folder), now });
const alive = setInterval(() => undefined, 1_000);
const dream = createDream({
  ...{ memory, now, lock: consolidateLock(folder) },
  async runFork({ runTool }) {
    const quotes = [{ source: 'a.md', quote: 'runs at 9 bar' }];
    const input = { path: 'a.md', type: 'reference', reason: 'r', quotes };
    const { content } = await runTool({ id: '1', name: 'retype_memory', input });
    process.stdout.write(`${content.slice(0, 4)}\n`);
    return new Promise(() => undefined);
  },
});
const result = await dream.dreamNow();
process.stdout.write(`${result.kind === 'none' ? result.reason : result.kind}\n`);
clearInterval(alive);
