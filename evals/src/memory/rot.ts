import { createMemdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import type { Clause } from './chain.ts';
import type { RealFolder } from './real-folders.ts';
import { isRelativeDate } from './score.ts';
import { bodyOf, statementsOf } from './statements.ts';
import { holdsAny } from './words.ts';

/** What a folder of memory looks like from outside, without knowing what is true. */
export interface RotRow {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly statements: number;
  /** By the check that ships: pointers, and its findings by kind. */
  readonly pointers: number;
  readonly findings: Readonly<Record<string, number>>;
  /** Counted here: statements with a date that moves, pairs of files that say nearly the same, files without a type. */
  readonly relativeStatements: number;
  readonly nearPairs: number;
  readonly untyped: number;
  /** Files whose name and description say that they hold what is not to be saved, by words alone. */
  readonly forbiddenWords: number;
  readonly clauses: Readonly<Partial<Record<Clause, number>>>;
}

/** Counts what is wrong with a folder; nothing in it is changed. */
export async function countRot({ name, path, memories, indexes }: RealFolder): Promise<RotRow> {
  const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
  const { pointers, counts } = await memory.check();
  const texts = [...memories.values()];
  const statements = texts.flatMap(statementsOf);
  const clauses: Partial<Record<Clause, number>> = {};
  let forbiddenWords = 0;
  for (const [file, text] of memories) {
    const found = clausesIn(file, text);
    if (found.length > 0) forbiddenWords++;
    for (const clause of found) clauses[clause] = (clauses[clause] ?? 0) + 1;
  }
  const all = [...texts, ...indexes.values()];
  return {
    ...{ name, files: memories.size, statements: statements.length, pointers },
    bytes: all.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    findings: counts,
    relativeStatements: statements.filter((text) => isRelativeDate(text)).length,
    nearPairs: countNearPairs(texts),
    untyped: texts.filter(
      (text) => !/^\s*type:\s*["']?(?:user|feedback|project|reference)\b/m.test(headerOf(text)),
    ).length,
    ...{ forbiddenWords, clauses },
  };
}

const headerOf = (text: string): string => text.slice(0, text.length - bodyOf(text).length);

const LIKE = 0.6;

/** Pairs of files that share more than this part of their runs of three words. */
function countNearPairs(texts: readonly string[]): number {
  const runs = texts.map((text) => runsOfThree(bodyOf(text)));
  let pairs = 0;
  for (const [at, one] of runs.entries()) {
    for (const other of runs.slice(0, at)) {
      const common = [...one].filter((run) => other.has(run)).length;
      if (common > 0 && common / (one.size + other.size - common) > LIKE) pairs++;
    }
  }
  return pairs;
}

function runsOfThree(text: string): ReadonlySet<string> {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`));
}

/** Of the name and the description; a rule of thumb, right about two times in three. */
const CLAUSE_WORDS: Readonly<Record<Exclude<Clause, 'instructions'>, readonly string[]>> = {
  conventions: [
    ...['architectur*', 'convention*', 'pattern*', 'code style', 'stack', 'schema*'],
    ...['component*', 'module*', 'api facts'],
  ],
  paths: ['structure', 'layout', 'overview', 'codebase', 'file map', 'folder*', 'director*'],
  git: ['changelog of', 'shipped in', 'commit history', 'git log', 'merged'],
  fix: [
    ...['fix', 'fixes', 'fixed', 'bug*', 'root cause', 'regression*', 'crash*', 'workaround*'],
    ...['debug*', 'gotcha*', 'false positive*', 'hotfix*'],
  ],
  task: [
    ...['status', 'session*', 'progress', 'todo*', 'next step*', 'handoff*', 'roadmap*', 'wip'],
    ...['backlog*', 'pending', 'follow-up*', 'followup*', 'current*'],
  ],
};
const LEAST_PATHS = 8;
const LEAST_PATH_SHARE = 0.02;

function clausesIn(file: string, text: string): readonly Clause[] {
  const named = `${file.replace(/[_-]/g, ' ')} ${/^\s*name:(.*)$/m.exec(headerOf(text))?.[1] ?? ''} ${
    /^\s*description:(.*)$/m.exec(headerOf(text))?.[1] ?? ''
  }`;
  const body = bodyOf(text);
  const found = (Object.keys(CLAUSE_WORDS) as (keyof typeof CLAUSE_WORDS)[]).filter((clause) =>
    holdsAny(named, CLAUSE_WORDS[clause]),
  );
  const paths = body.match(/`[^`\n]*[/\\][^`\n]*`/g)?.length ?? 0;
  const words = body.match(/[\p{L}\p{N}]+/gu)?.length ?? 1;
  const isPathList = paths >= LEAST_PATHS && paths / words > LEAST_PATH_SHARE;
  return isPathList && !found.includes('paths') ? [...found, 'paths'] : found;
}
