import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

assert.ok(statSync('backup.sh').mode & 0o100);
const to = join(mkdtempSync(join(tmpdir(), 'backup-')), 'a copy');
assert.equal(spawnSync('./backup.sh', ['notes', to]).status, 0);
assert.deepEqual(readdirSync(to).sort(), ['one.txt', 'second note.txt']);
assert.equal(spawnSync('./backup.sh', ['missing', to]).status, 1);
