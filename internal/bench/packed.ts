import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../src/bundle.ts';
import type { Manifest } from '../src/workspace.ts';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

/**
 * A temporary folder with these packages of the workspace in its `node_modules`, with the JavaScript and the exports that they
 * are published with: what a user's program starts with. The caller removes it.
 */
export async function packPackages(names: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-packed-'));
  for (const name of names) {
    const dir = join(PACKAGES, name);
    const to = join(folder, 'node_modules', '@varve', name);
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
    mkdirSync(to, { recursive: true });
    const packed = { ...manifest, ...manifest.publishConfig };
    writeFileSync(join(to, 'package.json'), JSON.stringify(packed));
    await bundle({ dir, manifest }, join(to, 'dist'));
  }
  return folder;
}

/** Puts a package that `from` depends on beside them. */
export function addInstalled(
  folder: string,
  { name, from }: { readonly name: string; readonly from: string },
): void {
  const installed = realpathSync(join(PACKAGES, from, 'node_modules', name));
  symlinkSync(installed, join(folder, 'node_modules', name));
}
