import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly publishConfig?: Partial<Pick<Manifest, 'exports' | 'bin'>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  /** Absolute. */
  readonly dir: string;
  /** Relative to the root, e.g. `packages/messages`. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace, by path. */
export function readWorkspace(): WorkspacePackage[] {
  const nested = ['packages', 'apps']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  return [...nested, 'evals', 'internal']
    .filter((path) => existsSync(join(root, path, 'package.json')))
    .sort()
    .map((path) => {
      const dir = join(root, path);
      const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
      return { dir, path, manifest };
    });
}

export function publicPackages(): WorkspacePackage[] {
  return readWorkspace().filter(({ manifest }) => manifest.private !== true);
}

/** Files below a folder that end in one of the endings, relative to the workspace; build output and dependencies left out. */
export function filesBelow(dir: string, endings: readonly string[], workspace = root): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return filesBelow(path, endings, workspace);
      const isWanted = entry.isFile() && endings.some((ending) => entry.name.endsWith(ending));
      return isWanted ? [relative(workspace, path)] : [];
    })
    .sort();
}
