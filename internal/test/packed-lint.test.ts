import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lintProblems } from '../src/checks/packed-lint.ts';

const SOUND: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    ...{ name: 'sound', version: '1.0.0', type: 'module', license: 'MIT' },
    ...{ files: ['dist'], sideEffects: false, engines: { node: '>=22' } },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  }),
  'dist/index.js': 'export const one = 1;\n',
  'dist/index.d.ts': 'export declare const one: number;\n',
};

/** What is found in a tarball of the sound package with other files. */
function problemsOf(change: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'varve-lint-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries({ ...SOUND, ...change })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(dir, 'package', file)), { recursive: true });
    writeFileSync(join(dir, 'package', file), text);
  }
  execFileSync('tar', ['czf', 'package.tgz', 'package'], { cwd: dir });
  return lintProblems(new Uint8Array(readFileSync(join(dir, 'package.tgz'))));
}

describe('a tarball', () => {
  test('without a fault has no problem', async () => {
    expect(await problemsOf({})).toEqual([]);
  });

  test.each(['dist/index.js', 'dist/index.d.ts'])('that lacks %s is told', async (file) => {
    expect(await problemsOf({ [file]: undefined })).toContainEqual(
      expect.stringContaining('does not exist'),
    );
  });

  test('whose types import as no module does is told', async () => {
    const types = "export * from './one';\n";
    expect(await problemsOf({ 'dist/index.d.ts': types, 'dist/one.d.ts': 'export {};\n' })).toEqual(
      [expect.stringContaining('"moduleSpecifier":"./one"')],
    );
  });
});
