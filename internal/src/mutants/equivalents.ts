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

/** More than this many of those that are run are a sign that tests are missing. */
const MAX_EQUIVALENTS = 6;

const FILE = join(root, 'internal', 'mutants-equivalent.json');

/** Says of one of these mutants why it is equivalent; undefined where it is not in the list. Throws where too many are. */
export function readEquivalents(
  mutants: readonly Mutant[],
): (mutant: Mutant) => string | undefined {
  const list = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Equivalent[];
  const whyOf = ({ file, before, after }: Mutant): string | undefined =>
    list.find((each) => each.file === file && each.before === before && each.after === after)?.why;
  const named = mutants.filter((mutant) => whyOf(mutant) !== undefined).length;
  if (named > MAX_EQUIVALENTS)
    throw new Error(`${FILE} names ${named} mutants of them; at most ${MAX_EQUIVALENTS} may be.`);
  return whyOf;
}
