import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

/**
 * A temporary folder with these packages of the workspace in its `node_modules`, as JavaScript and with the exports they
 * are published with: what a user's program starts with. The caller removes it.
 */
export function packPackages(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-packed-'));
  for (const name of names) {
    const from = join(PACKAGES, name);
    const to = join(folder, 'node_modules', '@varve', name);
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    mkdirSync(join(to, 'dist'), { recursive: true });
    writeFileSync(
      join(to, 'package.json'),
      JSON.stringify({ ...manifest, ...manifest.publishConfig }),
    );
    for (const file of readdirSync(join(from, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.ts')) writeJavaScript(join(from, 'src', file), join(to, 'dist', file));
    }
  }
  return folder;
}

function writeJavaScript(source: string, target: string): void {
  const code = stripTypeScriptTypes(readFileSync(source, 'utf8'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target.replace(/\.ts$/, '.js'),
    code.replace(/(from |import\()'(\.[^']*)\.ts'/g, "$1'$2.js'"),
  );
}

/** Puts a package that `from` depends on beside them. */
export function addInstalled(
  folder: string,
  { name, from }: { readonly name: string; readonly from: string },
): void {
  const installed = realpathSync(join(PACKAGES, from, 'node_modules', name));
  symlinkSync(installed, join(folder, 'node_modules', name));
}
