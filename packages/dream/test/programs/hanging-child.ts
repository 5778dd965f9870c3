import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { createDream } from '../../src/index.ts';

// Its child never answers, or at once, and nothing but its time keeps the process alive.
const [how, timeoutMs] = process.argv.slice(2);
const text = '---\nname: Pump\ndescription: The pump\ntype: project\n---\n\nIt has 4 bar.\n';
const memory = createMemdir({ folder: inMemoryFolder({ 'pump.md': text }), now: Date.now });
const dream = createDream({
  ...{ memory, now: Date.now, timeoutMs: Number(timeoutMs) },
  runFork: async () => (how === 'hangs' ? new Promise(() => {}) : { kind: 'done' }),
});
const result = await dream.dreamNow();
console.log(result.kind === 'failed' ? `failed ${result.reason}` : result.kind);
