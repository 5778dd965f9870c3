import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { root } from '../workspace.ts';
import type { Check } from './check.ts';

// Each pattern is written so that it does not find itself.
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'an absolute path of this machine', pattern: /\/(?:work\/(?:main|shared)|root\/\.)/ },
  { what: 'a registry host', pattern: /registry\.[a-z]+[a-z.]*\.[a-z]{2,}|tarball: http/ },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE[ ]KEY/ },
  { what: 'a provider key', pattern: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}/ },
];

/** What no committed file may hold. Fixtures and formats count too; patterns here excuse a line with `hygiene: allow`. */
export const hygieneCheck: Check = {
  name: 'no machine paths, registry hosts or secrets',
  async run() {
    const { stdout } = await runCommand('git', [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
    ]);
    const files = stdout
      .split('\0')
      .filter((file) => file !== '' && !file.startsWith('internal/src/checks/'));
    return files.flatMap(fileProblems);
  },
};

function fileProblems(file: string): string[] {
  const text = readText(file);
  return FORBIDDEN.filter(({ pattern }) => pattern.test(text)).flatMap(({ what, pattern }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line) && !line.includes('hygiene: allow'))
      .slice(0, 5)
      .map(({ place }) => `${place} holds ${what}`),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return ''; // deleted in the working tree but still in the index
  }
}
