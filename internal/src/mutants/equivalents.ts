import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import type { Mutant } from './mutations.ts';

/** A mutant that does the same as the code, so that no test can tell them apart. */
interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Why they are the same. */
  readonly why: string;
}

/** More than this many in the files that are broken are a sign that tests are missing. */
const MAX_EQUIVALENTS = 6;

const FILE = join(root, 'internal', 'mutants-equivalent.json');

/** Says of a mutant of these files why it is equivalent; undefined where it is not in the list. Throws where that is too long. */
export function readEquivalents(files: readonly string[]): (mutant: Mutant) => string | undefined {
  const all = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Equivalent[];
  const list = all.filter(({ file }) => files.includes(file));
  if (list.length > MAX_EQUIVALENTS)
    throw new Error(
      `${FILE} names ${list.length} mutants of them; at most ${MAX_EQUIVALENTS} may be.`,
    );
  return ({ file, before, after }) =>
    list.find((each) => each.file === file && each.before === before && each.after === after)?.why;
}
