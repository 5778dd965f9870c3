import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';

const { pageCount, pageOf } = await import(pathToFileURL('src/pages.mjs'));
const items = Array.from({ length: 11 }, (_, index) => index);
assert.equal(pageCount(11, 5), 3);
assert.equal(pageCount(10, 5), 2);
assert.equal(pageCount(0, 5), 0);
assert.deepEqual(pageOf(items, 3, 5), [10]);
assert.deepEqual(pageOf(items, 4, 5), []);
assert.deepEqual(pageOf(items, 0, 5), []);
