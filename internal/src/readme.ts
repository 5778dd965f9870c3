import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readmePages, runExample, withExample } from './checks/readme.ts';
import { writeFrontPage } from './front-page.ts';
import { root } from './workspace.ts';

/** `pnpm readme [package]`: writes the examples, and what they print, into the READMEs; `pnpm eval` too, into the front page. */
const wanted = process.argv.slice(2);
for (const { readme, example } of readmePages()) {
  if (wanted.length > 0 && !wanted.some((path) => readme.startsWith(path))) continue;
  const source = readFileSync(join(root, example), 'utf8');
  const { code, stdout, output } = await runExample(example, source);
  if (code !== 0) throw new Error(`${example} failed: ${output}`);
  const path = join(root, readme);
  writeFileSync(path, withExample(readFileSync(path, 'utf8'), source, stdout));
  if (readme === 'README.md') await writeFrontPage();
  process.stdout.write(`${readme} written\n`);
}
