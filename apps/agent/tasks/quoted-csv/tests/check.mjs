import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';

const { parse } = await import(pathToFileURL('parse.mjs'));
assert.deepEqual(parse('a,b\n1,2\n'), [
  ['a', 'b'],
  ['1', '2'],
]);
assert.deepEqual(parse('"a,b",c\r\n"x\ny",""'), [
  ['a,b', 'c'],
  ['x\ny', ''],
]);
assert.deepEqual(parse('"say ""hi""",2'), [['say "hi"', '2']]);
assert.deepEqual(parse(',\n'), [['', '']]);
assert.throws(() => parse('a,b\n1,"2'), /2/);
