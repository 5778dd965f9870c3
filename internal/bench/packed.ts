import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../src/bundle.ts';
import type { Manifest } from '../src/workspace.ts';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));
const AGENT = fileURLToPath(new URL('../../apps/agent/', import.meta.url));

/**
 * A temporary folder with these packages of the workspace in its `node_modules`, with the JavaScript and the exports that they
 * are published with: what a user's program starts with. The caller removes it.
 */
export async function packPackages(names: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-packed-'));
  for (const name of names) {
    await pack(join(PACKAGES, name), join(folder, 'node_modules', '@varve', name));
  }
  return folder;
}

/** The agent beside all packages of the workspace and what it depends on. The caller removes the folder. */
export async function packAgent(): Promise<string> {
  const folder = await packPackages(readdirSync(PACKAGES));
  const manifest = await pack(AGENT, join(folder, 'node_modules', '@varve', 'agent'));
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith('@varve/')) continue;
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(AGENT, 'node_modules', name)), link);
  }
  return folder;
}

async function pack(dir: string, to: string): Promise<Manifest> {
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
  mkdirSync(to, { recursive: true });
  const packed = { ...manifest, ...manifest.publishConfig };
  writeFileSync(join(to, 'package.json'), JSON.stringify(packed));
  await bundle({ dir, manifest }, join(to, 'dist'));
  return manifest;
}

/** Puts a package that `from` depends on beside them. */
export function addInstalled(
  folder: string,
  { name, from }: { readonly name: string; readonly from: string },
): void {
  const installed = realpathSync(join(PACKAGES, from, 'node_modules', name));
  symlinkSync(installed, join(folder, 'node_modules', name));
}
