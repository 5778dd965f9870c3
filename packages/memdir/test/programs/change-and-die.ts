// Makes one change in a folder, and is killed before the n-th change of the file system: <folder> <act> <n>

import type { NewMemory } from '../../src/save.ts';
import { changesMade, killAt } from './kill-here.ts';

// After it: what takes a function of the file system when it is loaded takes the one that counts.
const { createMemdir } = await import('../../src/index.ts');
const { diskFolder } = await import('../../src/node/index.ts');

const [folder = '', act = '', at = '0'] = process.argv.slice(2);
const memory = createMemdir({
  folder: diskFolder(folder, { lockWaitMs: 60_000 }),
  now: () => Date.parse('2026-11-30T12:00:00Z'),
});
const one = 'project_one.md';
const next: NewMemory = {
  ...{ name: 'New', description: 'About New', type: 'project', body: 'New text here.' },
};

async function change(): Promise<{ readonly kind: string }> {
  switch (act) {
    case 'save':
      return memory.save(next);
    case 'edit':
      return memory.save({
        ...next,
        name: 'One',
        path: one,
        basis: (await memory.read(one))?.hash,
      });
    case 'supersede':
      return memory.save({ ...next, supersedes: [one] });
    case 'forget':
      return memory.forget(one, { reason: 'asked' });
    case 'rebuild':
      return memory.rebuild();
    case 'change': {
      const [first, second] = [await memory.read(one), await memory.read('project_two.md')];
      return memory.change(
        [
          { path: one, basis: first?.hash, text: first?.text.replace('First', 'Other') },
          { path: 'both.md', basis: undefined, text: second?.text.replace('Two', 'Both') },
          { path: 'project_two.md', basis: second?.hash, text: undefined, successor: 'both.md' },
        ],
        { reason: 'merged' },
      );
    }
    case 'undo':
      return memory.undo();
    default: // recovers what was interrupted
      return memory.undo({ id: 'none' });
  }
}

killAt(at === '0' ? Number.POSITIVE_INFINITY : Number(at));
const { kind } = await change();
process.stdout.write(`${kind} ${changesMade()}\n`);
