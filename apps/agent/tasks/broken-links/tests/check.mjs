import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const pages = ['index.md', 'start/install.md', 'start/steps.md', 'help/trouble.md'];
const links = [];
for (const page of pages) {
  const text = readFileSync(join('docs', page), 'utf8');
  for (const [, label, target] of text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
    links.push(`${label}: ${basename(target)}`);
    if (!target.startsWith('https:'))
      assert.ok(existsSync(join('docs', dirname(page), target)), `${page}: ${target}`);
  }
}
assert.deepEqual(links, [
  'Install: install.md',
  'First steps: steps.md',
  'Web: steps.md',
  'handbook: index.md',
  'first steps: steps.md',
  'trouble: trouble.md',
  'install: install.md',
  'handbook: index.md',
]);
