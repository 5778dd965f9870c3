import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'programs', 'read-line.ts');

test.skipIf(process.platform !== 'linux')(
  'a line of a shell is read without optimising the whole grammar, which takes 500 MB',
  () => {
    // what V8 does beside the program is done before it goes on
    const printed = execFileSync(process.execPath, ['--wasm-sync-tier-up', PROGRAM]);
    const { kind, megabytes } = JSON.parse(String(printed));
    expect(kind).toBe('commands');
    expect(megabytes).toBeLessThan(300);
  },
);
