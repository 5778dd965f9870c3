import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import { definitionOf } from '../src/tools/tool.ts';
import { MAIN } from './support.ts';

test('A2: definitions of tools are frozen: a changed byte is a lost cache for everybody', () => {
  expect(TOOLS.map(definitionOf)).toMatchSnapshot();
  expect(JSON.stringify(TOOLS.map(definitionOf)).length).toMatchSnapshot();
});

test('A1: the program turns on its cache of compiled code before it loads anything that could be in it', () => {
  const main = readFileSync(MAIN, 'utf8');
  const loaded = [...main.matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name);
  expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  expect(main.indexOf('enableCompileCache(')).toBeLessThan(main.indexOf("import('./command.ts')"));
});
