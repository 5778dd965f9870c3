import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { filesBelow, type Manifest } from '../workspace.ts';
import { importsOf } from './layers.ts';

/** What a package says of itself in the workspace, and the folder that its tarball unpacks to. */
export interface PackedPackage {
  readonly manifest: Manifest;
  readonly dir: string;
  /** The subpaths that were published before, with the names of its commands. */
  readonly pinned: readonly string[];
}

/** What a consumer would miss in a tarball that is well-formed otherwise. */
export function packedProblems(pack: PackedPackage): string[] {
  const { name } = pack.manifest;
  return [
    ...subpathProblems(pack),
    ...pinProblems(pack),
    ...importProblems(pack),
    ...readmeProblems(pack),
  ].map((problem) => `${name}: ${problem}`);
}

/** The exports that the workspace uses and those that are published are two lists. */
function subpathProblems({ manifest }: PackedPackage): string[] {
  const own = Object.keys(manifest.exports ?? {});
  const published = Object.keys(manifest.publishConfig?.exports ?? {});
  return [
    ...missing(own, published).map(
      (key) => `\`${key}\` is in exports, not in publishConfig.exports`,
    ),
    ...missing(published, own).map(
      (key) => `\`${key}\` is in publishConfig.exports, not in exports`,
    ),
  ];
}

/** What was published stays, and what is new is written down. */
function pinProblems({ dir, pinned }: PackedPackage): string[] {
  const now = publishedNames(readManifest(dir));
  return [
    ...missing(pinned, now).map(
      (key) => `\`${key}\` was published and is lost; ${STORED_IN} has it`,
    ),
    ...missing(now, pinned).map(
      (key) => `\`${key}\` is published and not stored: run \`pnpm api\``,
    ),
  ];
}

const STORED_IN = 'internal/published-subpaths.json';

/** Subpaths and commands of a package as a consumer sees them. */
export const publishedNames = ({ exports = {}, bin = {} }: Manifest): readonly string[] =>
  [...Object.keys(exports), ...Object.keys(bin).map((name) => `bin ${name}`)].sort();

/** Modules load nothing but what a consumer's installer brings along. */
function importProblems({ manifest, dir }: PackedPackage): string[] {
  const { name, dependencies, peerDependencies, optionalDependencies } = manifest;
  const installed = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return filesBelow(join(dir, 'dist'), ['.js'], dir).flatMap((file) => {
    const source = readFileSync(join(dir, file), 'utf8');
    const loaded = importsOf(source).filter((each) => !/^(?:\.|node:)/.test(each));
    const packages = loaded.map((each) => /^(?:@[^/]+\/)?[^/]+/.exec(each)?.[0] ?? each);
    return missing(packages, [...installed, name]).map(
      (each) => `${file} loads ${each}, which is no dependency of the published package`,
    );
  });
}

/** Files that the README links to or names are in the tarball; others are linked to by their address. */
function readmeProblems({ dir }: PackedPackage): string[] {
  const path = join(dir, 'README.md');
  if (!existsSync(path)) return ['there is no README.md'];
  const page = readFileSync(path, 'utf8');
  const prose = page.replace(/^```.*?^```$/gms, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const relative = links.filter((target) => !/^(?:[a-z]+:|#)/.test(target));
  const named = [...prose.matchAll(NAMED_FILE)].map(([, file = '']) => file);
  return [...new Set([...relative.map((target) => target.replace(/#.*$/, '')), ...named])]
    .filter((target) => normalize(target).startsWith('..') || !existsSync(join(dir, target)))
    .map((target) => `README.md names ${target}, which is not in the tarball`);
}

/** A file of the package in backticks: `examples/agent.ts`. */
const NAMED_FILE = /`((?:\.\/)?(?:src|dist|examples?|test|docs|fixtures|bench)\/[\w./-]+\.\w+)`/g;

const readManifest = (dir: string): Manifest =>
  JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;

const missing = (wanted: readonly string[], given: readonly string[]): readonly string[] => [
  ...new Set(wanted.filter((each) => !given.includes(each))),
];
