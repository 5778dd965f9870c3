import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages, root } from '../workspace.ts';
import { publishedNames } from './packed-package.ts';

/** Subpaths and commands by package: what a release once had, and consumers import. */
type PublishedSubpaths = Readonly<Record<string, readonly string[]>>;

const FILE = join(root, 'internal', 'published-subpaths.json');

export const readPublishedSubpaths = (): PublishedSubpaths =>
  JSON.parse(readFileSync(FILE, 'utf8')) as PublishedSubpaths;

/** Adds what is new. Nothing is taken away: whoever means to lose a subpath deletes its line by hand. */
export function addPublishedSubpaths(): void {
  const known = readPublishedSubpaths();
  const now = publicPackages().map(({ manifest }) => {
    const names = publishedNames({ ...manifest, ...manifest.publishConfig });
    return [
      manifest.name,
      [...new Set([...(known[manifest.name] ?? []), ...names])].sort(),
    ] as const;
  });
  const all = { ...known, ...Object.fromEntries(now) };
  writeFileSync(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}
