import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../workspace.ts';

/** A copy of the workspace to break things in; the one that is worked in is never written to. */
export interface ScratchTree {
  readonly dir: string;
  remove(): void;
}

const COPIED = [
  'packages',
  'apps',
  'evals',
  'internal',
  'fixtures',
  'package.json',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
  'vitest.config.ts',
];

/** Copies the sources; what was installed is linked to. */
export function createScratchTree(): ScratchTree {
  const dir = mkdtempSync(join(tmpdir(), 'varve-mutants-'));
  for (const name of COPIED) {
    cpSync(join(root, name), join(dir, name), {
      recursive: true,
      // links between the packages are relative, so that those of the copy lead into the copy
      verbatimSymlinks: true,
      filter: (source) => basename(source) !== 'dist',
    });
  }
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
