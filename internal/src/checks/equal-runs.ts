import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import type { Check } from './check.ts';
import { sourceFiles } from './one-definition.ts';

/** So many equal lines in two packages are one thing written twice. */
const RUN = 8;

/** No run of lines stands in the sources of two packages; blank lines, comments, imports and lone brackets are passed over. */
export const equalRunsCheck: Check = {
  name: 'no run of equal lines in two packages',
  run: async () => equalRuns(root),
};

interface Place {
  readonly file: string;
  readonly line: number;
}

export function equalRuns(workspace: string): string[] {
  const firstPlaces = new Map<string, Place>();
  const problems: string[] = [];
  for (const file of sourceFiles(workspace)) {
    const lines = codeLines(readFileSync(join(workspace, file), 'utf8'));
    let last = -2;
    for (let at = 0; at + RUN <= lines.length; at++) {
      const run = lines.slice(at, at + RUN);
      const key = run.map(({ text }) => text).join('\n');
      const line = run[0]?.line ?? 0;
      const first = firstPlaces.get(key);
      if (first === undefined) firstPlaces.set(key, { file, line });
      else if (packageOf(first.file) !== packageOf(file)) {
        // a longer run is told once
        if (at !== last + 1)
          problems.push(`${file}:${line} goes on for ${RUN} lines as ${first.file}:${first.line}`);
        last = at;
      }
    }
  }
  return problems;
}

const packageOf = (file: string): string => file.slice(0, file.indexOf('/src/'));

interface CodeLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** What counts, each line without what is around it. */
function codeLines(source: string): readonly CodeLine[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\//g, blankOut);
  const withoutImports = withoutComments.replace(
    /^(?:import\b[^;]*;|export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*from[^;]*;)/gm,
    blankOut,
  );
  return withoutImports
    .split('\n')
    .map((text, at) => ({ text: text.replace(/\/\/.*$/, '').trim(), line: at + 1 }))
    .filter(({ text }) => /\w/.test(text));
}

/** Line numbers stay as they are. */
const blankOut = (text: string): string => text.replace(/[^\n]/g, '');
