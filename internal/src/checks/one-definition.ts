import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, root } from '../workspace.ts';
import type { Check } from './check.ts';
import { type Elsewhere, NOT_THE_SAME } from './elsewhere.ts';
import { findIdeas } from './ideas.ts';

/**
 * Each idea that several packages need has one definition. A second one is found by its structure, whatever it is called;
 * what only looks like one is named in `elsewhere.ts` with the reason.
 */
export const oneDefinitionCheck: Check = {
  name: 'one definition for each shared idea',
  run: async () => definitionProblems(root),
};

/** Of a workspace: copies that nobody named, and names of copies that are gone. */
export function definitionProblems(
  workspace: string,
  notTheSame: readonly Elsewhere[] = NOT_THE_SAME,
): string[] {
  const used = new Set<Elsewhere>();
  const problems = sourceFiles(workspace).flatMap((file) =>
    findIdeas(file, readFileSync(join(workspace, file), 'utf8')).flatMap(({ idea, line }) => {
      const { name, homes } = idea;
      if (homes.some((home) => file.startsWith(home))) return [];
      const found = notTheSame.find((each) => each.idea === name && file.startsWith(each.file));
      if (found !== undefined) used.add(found);
      if (found !== undefined) return [];
      return [
        `${file}:${line} holds a second definition of "${name}"; its home: ${homes.join(', ')}`,
      ];
    }),
  );
  const gone = notTheSame
    .filter((each) => !used.has(each))
    .map(
      ({ idea, file }) => `elsewhere.ts: ${file} no longer holds "${idea}"; take it off the list`,
    );
  return [...problems, ...gone];
}

/** Files below the `src` of packages, apps and the evals, relative to the workspace. */
export function sourceFiles(workspace: string): readonly string[] {
  return ['packages', 'apps', 'evals']
    .flatMap((folder) => filesBelow(join(workspace, folder), ['.ts'], workspace))
    .filter((file) => /^(?:packages\/[^/]+|apps\/[^/]+|evals)\/src\//.test(file));
}
