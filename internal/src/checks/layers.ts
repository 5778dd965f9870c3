import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  filesBelow,
  type Manifest,
  readWorkspace,
  root,
  type WorkspacePackage,
} from '../workspace.ts';
import type { Check } from './check.ts';

/** Lowest first. A package may depend on lower layers only, never on its own. */
export const LAYERS: readonly (readonly string[])[] = [
  ['@varve/guards', '@varve/redact'],
  ['@varve/messages'],
  ['@varve/tokens', '@varve/transcript'],
  [
    '@varve/prompt-cache',
    '@varve/models',
    '@varve/tool-storage',
    '@varve/microcompact',
    '@varve/ledger',
  ],
  [
    '@varve/fork-agent',
    '@varve/emulator',
    '@varve/session-memory',
    '@varve/compact',
    '@varve/memdir',
  ],
  ['@varve/dream'],
  ['@varve/context'],
  ['@varve/agent', '@varve/evals'],
  ['@varve/internal'],
];

/**
 * What tests of any package take from here: how much of their cases a run asks for, what in a prompt could pass as data, and a
 * program as it is published.
 */
const FOR_TESTS: readonly string[] = [
  'internal/src/share.ts',
  'internal/src/literals.ts',
  'internal/src/bundle-program.ts',
];

/** Benchmarks time parts of packages that no entry shows. */
const BENCH = 'internal/bench/';
const SOURCES = /^packages\/[^/]+\/src\//;

/** Holds the layers in manifests and in imports, and that no relative import leaves its package. */
export const layersCheck: Check = {
  name: 'package layers',
  run: async () => readWorkspace().flatMap(problemsOf),
};

function problemsOf(pack: WorkspacePackage): string[] {
  const { name } = pack.manifest;
  if (layerOf(name) === undefined) return [`${name} stands in no layer: add it to LAYERS`];
  const declared = declaredOf(pack.manifest);
  const upwards = declared
    .filter((other) => other.startsWith('@varve/') && !isLower(other, name))
    .map((other) => `${pack.path}/package.json: ${name} may not depend on ${other}`);
  const files = filesBelow(pack.dir, ['.ts']).filter((file) => !file.endsWith('/api.d.ts'));
  return [...upwards, ...files.flatMap((file) => importProblems(file, pack, declared))];
}

function importProblems(
  file: string,
  pack: WorkspacePackage,
  declared: readonly string[],
): string[] {
  return importsOf(readFileSync(join(root, file), 'utf8')).flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const whole = join(root, dirname(file), specifier);
      if (file.includes('/test/') && FOR_TESTS.includes(relative(root, whole))) return [];
      if (file.startsWith(BENCH) && SOURCES.test(relative(root, whole))) return [];
      const target = relative(pack.dir, whole);
      return target.startsWith('..') ? [`${file}: ${specifier} leaves the package`] : [];
    }
    const other = /^@varve\/[^/]+/.exec(specifier)?.[0];
    if (other === undefined || other === pack.manifest.name || declared.includes(other)) return [];
    return [`${file}: imports ${other}, which ${pack.path}/package.json does not declare`];
  });
}

export function importsOf(source: string): string[] {
  const pattern =
    /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  return [...source.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3]) as string);
}

function declaredOf(manifest: Manifest): string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return Object.keys({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
    ...optionalDependencies,
  });
}

function layerOf(name: string): number | undefined {
  const layer = LAYERS.findIndex((names) => names.includes(name));
  return layer === -1 ? undefined : layer;
}

function isLower(other: string, name: string): boolean {
  return (layerOf(other) ?? Number.POSITIVE_INFINITY) < (layerOf(name) ?? -1);
}
