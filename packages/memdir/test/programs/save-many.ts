// Saves memories in a folder as one of several processes: <folder> <name> <count>
import { createMemdir } from '../../src/index.ts';
import { diskFolder } from '../../src/node/index.ts';

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const memory = createMemdir({
  folder: diskFolder(folder, { lockWaitMs: 60_000 }),
  now: () => Date.parse('2026-11-30T12:00:00Z'),
});
for (let at = 0; at < Number(count); at++) {
  const saved = await memory.save({
    ...{ name: `${name} number ${at}`, description: 'A line', type: 'project' },
    body: `What ${name} says of ${at}.`,
  });
  if (saved.kind !== 'saved') throw new Error(saved.kind);
}
