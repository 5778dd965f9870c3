import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { order } = await import(pathToFileURL('order.mjs'));
assert.deepEqual(order({ b: ['a'], a: [], c: [] }), ['a', 'b', 'c']);
assert.deepEqual(order({}), []);
assert.throws(() => order({ a: ['x'] }), /a.*x/);
assert.throws(() => order({ d: ['b'], b: ['c'], c: ['b'] }), /b → c → b/);
assert.deepEqual(JSON.parse(readFileSync('plan.json', 'utf8')), [
  'log',
  'db',
  'api',
  'cli',
  'theme',
  'web',
]);
