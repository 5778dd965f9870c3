import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The packages that the rows of fixed thresholds depend on, besides this one. */
const PACKAGES = [
  '@varve/messages',
  '@varve/tokens',
  '@varve/prompt-cache',
  '@varve/transcript/import',
];

/** What of this package they do not depend on. */
const OTHER_FOLDERS = /^(?:grid|peers|report|validate)\//;
const OTHER_STRATEGIES = /^strategies\/(?!batched-clear|clearing|request-for|keep-all)/;

/** Changes whenever the code does that replays fixed thresholds. */
export async function codeFingerprint(): Promise<string> {
  const own = join(import.meta.dirname, '..');
  const others = PACKAGES.map((name) => dirname(fileURLToPath(import.meta.resolve(name))));
  const hash = createHash('sha256');
  for (const folder of [own, ...others]) {
    for (const name of await sourceFiles(folder)) {
      if (folder === own && (OTHER_FOLDERS.test(name) || OTHER_STRATEGIES.test(name))) continue;
      hash.update(`${name}\n`).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

async function sourceFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
}
