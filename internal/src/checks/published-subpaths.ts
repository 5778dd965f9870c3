import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, publicPackages, root } from '../workspace.ts';
import { publishedNames } from './packed-package.ts';

const FILE = join(root, 'internal', 'published-subpaths.json');

/** What consumers import and call: `@varve/transcript/node`, and `@varve/evals bin varve-evals` for a command. */
const readAll = (): readonly string[] => JSON.parse(readFileSync(FILE, 'utf8')) as string[];

/** The subpaths and commands that a package once published. */
export const readPublished = (name: string): readonly string[] =>
  readAll()
    .filter((each) => each.startsWith(`${name} `))
    .map((each) => each.slice(name.length + 1));

/** Adds what is new. Nothing is taken away: whoever means to lose a subpath deletes its line by hand. */
export function addPublished(): void {
  const now = publicPackages().flatMap(({ manifest }) => namesOf(manifest));
  const all = [...new Set([...readAll(), ...now])].sort();
  writeFileSync(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}

const namesOf = (manifest: Manifest): readonly string[] =>
  publishedNames({ ...manifest, ...manifest.publishConfig }).map(
    (each) => `${manifest.name} ${each}`,
  );
