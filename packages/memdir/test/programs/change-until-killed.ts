// Changes a folder until it is killed, as one of several processes: <folder> <name>. Prints what was done, after it was.
import { createMemdir } from '../../src/index.ts';
import { diskFolder } from '../../src/node/index.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const memory = createMemdir({
  folder: diskFolder(folder, { lockWaitMs: 60_000 }),
  now: () => Date.parse('2026-11-30T12:00:00Z'),
});
for (let at = 0; ; at++) {
  const path = `${name}/m${at}.md`;
  const saved = await memory.save({
    ...{ name: `${name} number ${at}`, description: 'A line', type: 'project', path },
    body: `What ${name} says of ${at}.`,
  });
  if (saved.kind !== 'saved') throw new Error(JSON.stringify(saved));
  process.stdout.write(`saved ${path}\n`);
  if (at % 3 !== 2) continue;
  const forgotten = await memory.forget(path, { reason: 'asked' });
  if (forgotten.kind !== 'forgotten') throw new Error(JSON.stringify(forgotten));
  process.stdout.write(`forgotten ${path}\n`);
}
