import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, readWorkspace, root } from '../workspace.ts';
import type { Check } from './check.ts';

/** Values that nothing of the repository reaches for yet, and why they stay on an entry. */
const KEPT: Readonly<Record<string, string>> = {
  '@varve/compact assignmentOf': 'F6: the task of a sub-agent, pinned in its summaries',
  '@varve/compact/pipeline compactionChain': 'A8: whether compactions of one loop help',
  '@varve/context defaultLayers': 'a host that adds a layer of its own begins with these',
  '@varve/fork-agent/definitions toolsOf': 'F6: the tools that a definition leaves',
  '@varve/microcompact/context-management appliedEdits': 'M3: what a provider says it cleared',
  '@varve/memdir/node strandedMemory':
    '119: what folders of single worktrees hold when they are gone',
  '@varve/models withReminder': 'P6',
  '@varve/prompt-cache steadyTools': 'A10: tools of servers that come and go',
  '@varve/session-memory/node notesPath': 'N1: where the notes of a session are',
  '@varve/tokens/exact createCountEndpoint': 'T3',
  '@varve/tokens/usage createCounterFold': 'T1: totals of a transcript that only grow',
  '@varve/tokens/limits createThresholdWatch': 'T6: says once that a threshold was reached',
  '@varve/tokens/usage createUsageFold': 'T1: each response of a transcript once',
  '@varve/tool-storage/retention keyOf': 'S6: what `keep` of `sweep` takes',
  '@varve/tool-storage/retention sweep': 'S6: retention of a whole store',
  '@varve/transcript/import uniqueResponses': 'T1: each response once over copies of a session',
};

/**
 * What an entry exports has a user beside the tests of its own package: another package, the evals, an example, a document,
 * or a program or test that puts packages together. What has none is inside: it is tested through what users call. Classes of
 * errors are left out: their `is` is for whoever catches one.
 */
export const doorsCheck: Check = {
  name: 'names on entries have a user',
  run: async () => doorProblems(readDoors(), readUses()),
};

/** A value of an entry, e.g. `@varve/tokens createEstimator`; `./testing` and types are another matter. */
export interface Door {
  readonly name: string;
  readonly pack: string;
}

/** Where each name is imported: by path of the importing file. */
export type Uses = ReadonlyMap<string, readonly string[]>;

export function doorProblems(
  doors: readonly Door[],
  uses: Uses,
  kept: Readonly<Record<string, string>> = KEPT,
): string[] {
  const isUsed = ({ name, pack }: Door): boolean =>
    name.endsWith('Error') ||
    (uses.get(name) ?? []).some((file) => !file.startsWith(`packages/${pack}/test/`));
  const unused = doors.filter((door) => !isUsed(door)).map(({ name }) => name);
  const all = new Set(doors.map(({ name }) => name));
  return [
    ...unused
      .filter((name) => kept[name] === undefined)
      .map(
        (name) =>
          `${name}: only tests of its package import it; take it off the entry, or say in doors.ts why it stays`,
      ),
    ...Object.keys(kept)
      .filter((name) => !all.has(name) || !unused.includes(name))
      .map(
        (name) =>
          `doors.ts: ${name} ${all.has(name) ? 'has a user now' : 'is on no entry'}; take it off the list`,
      ),
  ];
}

function readDoors(): readonly Door[] {
  return readWorkspace()
    .filter(({ path }) => path.startsWith('packages/'))
    .flatMap(({ dir, path, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([door, file]) => {
        if (door === './testing' || typeof file !== 'string' || !file.endsWith('.ts')) return [];
        const source = readFileSync(join(dir, file), 'utf8');
        const specifier = `@varve/${path.slice('packages/'.length)}${door.slice(1)}`;
        return exportedValues(source).map((name) => ({
          name: `${specifier} ${name}`,
          pack: path.slice('packages/'.length),
        }));
      }),
    );
}

/** Values that an entry exports, by their public names. */
export function exportedValues(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
  const listed = [...code.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, names]) =>
    itemsOf(names as string).filter((item) => !item.startsWith('type ')),
  );
  const own = code.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm);
  return [
    ...listed.map((item) => item.split(/\s+as\s+/).at(-1) as string),
    ...[...own].map(([, name]) => name as string),
  ];
}

const itemsOf = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function readUses(): Uses {
  const uses = new Map<string, string[]>();
  const folders = ['packages', 'apps', 'evals', 'internal', 'docs'];
  const files = folders.flatMap((folder) => filesBelow(join(root, folder), ['.ts', '.md'], root));
  for (const file of files) {
    if (file.endsWith('/api.d.ts')) continue;
    for (const name of importedNames(readFileSync(join(root, file), 'utf8'))) {
      uses.set(name, [...(uses.get(name) ?? []), file]);
    }
  }
  return uses;
}

/** What a file imports from packages of ours, as names of doors. */
export function importedNames(source: string): string[] {
  const statements = source.matchAll(/^import\s*\{([^}]*)\}\s*from\s*'(@varve\/[^']+)'/gm);
  return [...statements].flatMap(([, names, specifier]) =>
    itemsOf(names as string).map((item) => `${specifier} ${item.split(/\s+as\s+/)[0] as string}`),
  );
}
