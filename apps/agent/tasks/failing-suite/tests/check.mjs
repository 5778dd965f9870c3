import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

assert.match(readFileSync('test/duration.test.mjs', 'utf8'), /toSeconds\('90m'\), 5_400/);
const { status, stdout } = spawnSync(process.execPath, ['--test'], { encoding: 'utf8' });
assert.equal(status, 0, stdout);
