import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const users = await import(pathToFileURL('src/users.mjs'));
assert.deepEqual(Object.keys(users), ['findUser', 'loadUsers']);
const { report } = await import(pathToFileURL('src/report.mjs'));
assert.equal(report(['2', '3']), '1 found, the first is Grace');
await import(pathToFileURL('test/greet.mjs'));
assert.match(readFileSync('CHANGELOG.md', 'utf8'), /`loadUser` gives/);
for (const name of ['src/users.mjs', 'src/greet.mjs', 'src/report.mjs', 'test/greet.mjs'])
  assert.doesNotMatch(readFileSync(name, 'utf8'), /loadUser\b/);
