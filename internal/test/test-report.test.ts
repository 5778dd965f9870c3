import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { TestReport } from '../src/test-report.ts';
import { root } from '../src/workspace.ts';

/** Files of a run, each with one fault of its own. */
const FILES = {
  'test.test.js': `it('fails', () => { throw new Error('first fault') }); it('passes', () => {});`,
  'hook.test.js': `describe('hook', () => { beforeAll(() => { throw new Error('second fault') }); it('waits', () => {}) });`,
  'file.test.js': `throw new Error('third fault');`,
  'late.test.js': `it('rejects', async () => { Promise.reject(new Error('fourth fault')); await new Promise((done) => setTimeout(done, 50)) });`,
  'dead.test.js': `it('dies', () => process.kill(process.pid, 'SIGKILL'));`,
};

test('each way to fail is a failure of its own, by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const head = `import { beforeAll, describe, it } from 'vitest';\n`;
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), head + text);
  const file = join(folder, 'report.json');
  const reporter = join(root, 'internal/src/test-report.ts');
  const args = ['run', '--root', folder, `--reporter=${reporter}`];
  const env = { ...process.env, VARVE_TEST_REPORT: file };
  await expect(
    promisify(execFile)(join(root, 'node_modules/.bin/vitest'), args, { env }),
  ).rejects.toMatchObject({ code: 1 });
  const report = JSON.parse(readFileSync(file, 'utf8')) as TestReport;
  const shown = report.failures.map(({ lines }) => lines.join('\n')).sort();
  for (const said of ['first', 'second', 'third', 'fourth', 'while running test file'])
    expect(shown.filter((text) => text.includes(said))).toHaveLength(1);
  expect(report).toMatchObject({ passed: 2, failures: { length: 5 } });
  expect(report.skipped).toHaveLength(2);
});
