import { isRecord, listOf } from '@varve/guards';
import ignore from 'ignore';
import { parse } from 'yaml';
import { splitFrontMatter } from './front-matter.ts';
import { withoutEnd } from './include.ts';

/** A file of a rules folder. */
export interface RuleText {
  readonly text: string;
  /** Patterns of the files that it is about; undefined where it is about all. */
  readonly paths?: readonly string[] | undefined;
}

/** Separates what a rule is about from what it says. */
export function readRuleText(whole: string): RuleText {
  const { front, text } = splitFrontMatter(whole);
  if (front === undefined) return { text };
  const paths = pathsIn(front).flatMap(expandBraces);
  return { text, ...(paths.length > 0 && { paths }) };
}

function pathsIn(front: string): string[] {
  try {
    const values: unknown = parse(front, { maxAliasCount: 0 });
    const paths = isRecord(values) ? values.paths : undefined;
    if (typeof paths === 'string') return listed(paths);
    return listOf(paths).flatMap((path) => (typeof path === 'string' ? listed(path) : []));
  } catch {
    // A pattern without quotes that begins with `*` is no YAML, and is what people write.
    const [, rest = '', lines = ''] =
      /^paths:[ \t]*(.*)((?:\r?\n[ \t]*-[ \t]+.*)*)$/m.exec(front) ?? [];
    const items = lines.split('\n').map((line) => line.replace(/^\s*-\s+/, ''));
    return [rest, ...items].flatMap((item) =>
      listed(withoutEnd(item.trim().replace(/^["'[]+/, ''), '"\']')),
    );
  }
}

/** Patterns with commas between them that are not in braces. */
function listed(text: string): string[] {
  const paths: string[] = [];
  let isInBraces = false;
  let end = text.length;
  for (let index = end - 1; index >= -1; index--) {
    const char = text[index] ?? ',';
    if (char === '{' || char === '}') isInBraces = char === '}';
    if (char !== ',' || (isInBraces && index >= 0)) continue;
    paths.push(text.slice(index + 1, end).trim());
    end = index;
  }
  return paths.reverse().filter((path) => path !== '');
}

const MOST_PATTERNS = 200;

/** `a.{ts,tsx}` as `a.ts` and `a.tsx`, which git's patterns do not know. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && open.length + done.length < MOST_PATTERNS) {
    const next = open.shift() as string;
    const [braces, inner = ''] = /\{([^{}]*)\}/.exec(next) ?? [];
    if (braces === undefined) done.push(next);
    else for (const each of inner.split(',')) open.push(next.replace(braces, () => each));
  }
  return done;
}

/** Whether a rule is about a file, by its path from the folder that the rules are of. */
export function isRuleFor(paths: readonly string[], way: string): boolean {
  return ignore()
    .add(paths.map((path) => (path.startsWith('/') ? path : path.replace(/^\.\//, '/'))))
    .ignores(way);
}
