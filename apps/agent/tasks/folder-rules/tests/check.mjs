import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { noSpaces } = await import(pathToFileURL('checks/index.mjs'));
assert.deepEqual(['ab', 'a b'].map(noSpaces), [true, false]);
assert.match(readFileSync('checks/no-spaces.mjs', 'utf8'), /^\/\/ Part of checker\.\n/);
const names = readFileSync('checks/index.mjs', 'utf8').match(/\.\/[a-z-]+/g);
assert.deepEqual(names, ['./is-short', './no-spaces', './starts-large']);
assert.match(readFileSync('checks/list.txt', 'utf8'), /^noSpaces: .+$/m);
