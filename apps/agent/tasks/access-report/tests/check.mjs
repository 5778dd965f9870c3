import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const log = execFileSync(process.execPath, ['make-log.mjs'], { encoding: 'utf8' });
const lines = log.trimEnd().split('\n');
const rows = lines.map((line) => line.split(' '));
const byPath = {};
for (const path of rows.map((row) => row[2]).sort()) byPath[path] = (byPath[path] ?? 0) + 1;
const [slowest] = rows.toSorted(
  (one, other) => Number.parseFloat(other[4]) - Number.parseFloat(one[4]),
);
const report = JSON.parse(readFileSync('report.json', 'utf8'));
assert.deepEqual(report, {
  requests: 6_000,
  failed: rows.filter((row) => Number(row[3]) >= 500).length,
  slowest: slowest[2],
  byPath,
});
assert.deepEqual(Object.keys(report.byPath), Object.keys(byPath));
