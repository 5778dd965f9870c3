import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Node, nodeAt, parseSource, walk } from '../syntax.ts';
import { filesBelow, root } from '../workspace.ts';
import type { Check } from './check.ts';
import { importsOf } from './layers.ts';

/**
 * What the evals measure with reads texts by itself: it imports no package's reading of text, and no regular expression of it
 * stands in a package as well. Else both would be wrong in the same places.
 */
export const independenceCheck: Check = {
  name: 'the evals measure with code of their own',
  run: async () => independenceProblems(root),
};

/** What says how much of a text is still there, and everything it is made of. */
const MEASURING: readonly string[] = [
  'evals/src/demand/',
  'evals/src/fidelity/facts/',
  'evals/src/fidelity/match/',
  'evals/src/fidelity/questions/',
  ...['match', 'score', 'precision', 'canaries', 'moments', 'context-text', 'file-names'].map(
    (name) => `evals/src/fidelity/${name}.ts`,
  ),
  'evals/src/fidelity/attack/judge.ts',
];

/** What tells one block of a message from another, and one value from another. */
const ALLOWED: Readonly<Record<string, ReadonlySet<string>>> = {
  '@varve/guards': new Set(['isRecord', 'recordOf', 'VarveError']),
  '@varve/messages': new Set([
    ...['isText', 'isThinking', 'isToolResult', 'isToolUse', 'toolResults', 'toolUses'],
    'stableStringify',
  ]),
};

/** Where the harness begins: what drives the product is no part of what measures it. */
const HARNESS =
  /^evals\/src\/(?:replay\/session-plan|session\/|run-|strategies\/|fidelity\/compactors\/)/;

export function independenceProblems(workspace: string): string[] {
  const files = measuringFiles(workspace);
  const products = expressionsOf(
    workspace,
    filesBelow(join(workspace, 'packages'), ['.ts'], workspace).filter((file) =>
      /^packages\/[^/]+\/src\//.test(file),
    ),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(workspace, file), 'utf8');
    const tree = parseSource(file, text);
    return [...importProblems(file, tree), ...sharedExpressions(file, { text, tree, products })];
  });
}

/** The measuring files and those that they import by a relative path, but for types. */
function measuringFiles(workspace: string): readonly string[] {
  const waiting = MEASURING.flatMap((place) => {
    if (place.endsWith('.ts')) return existsSync(join(workspace, place)) ? [place] : [];
    return existsSync(join(workspace, place))
      ? filesBelow(join(workspace, place), ['.ts'], workspace)
      : [];
  });
  const found = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || HARNESS.test(file)) continue;
    found.add(file);
    for (const specifier of importsOf(withoutTypes(readFileSync(join(workspace, file), 'utf8'))))
      if (specifier.startsWith('.')) waiting.push(join(dirname(file), specifier));
  }
  return [...found].sort();
}

const withoutTypes = (text: string): string =>
  text.replace(/^(?:import|export) type\b[^;]*;/gm, '');

function importProblems(file: string, tree: Node): string[] {
  const problems: string[] = [];
  walk(tree, (node) => {
    if (node.type === 'ImportExpression') problems.push(`${file}: loads a module at run time`);
    if (!/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) return true;
    const source = String(nodeAt(node, 'source')?.value ?? '');
    if (source === '') return true;
    if (!source.startsWith('@varve/') || isType(node, 'importKind') || isType(node, 'exportKind'))
      return false;
    const names = (node.specifiers as readonly Node[] | undefined) ?? [];
    const wrong = names
      .filter((each) => !isType(each, 'importKind'))
      .map((each) => String(nodeAt(each, 'imported')?.name ?? '*'))
      .filter((name) => !ALLOWED[source]?.has(name));
    if (names.length === 0) wrong.push('*');
    for (const name of wrong) problems.push(`${file}: measures with ${name} of ${source}`);
    return false;
  });
  return problems;
}

const isType = (node: Node, key: string): boolean => node[key] === 'type';

interface Expression {
  readonly pattern: string;
  readonly line: number;
}

function sharedExpressions(
  file: string,
  { text, tree, products }: { text: string; tree: Node; products: ReadonlyMap<string, string> },
): string[] {
  return expressionsIn(text, tree).flatMap(({ pattern, line }) => {
    const other = products.get(pattern);
    return other === undefined ? [] : [`${file}:${line} shares /${pattern}/ with ${other}`];
  });
}

/** Where each pattern of some files first stands. */
function expressionsOf(workspace: string, files: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    const text = readFileSync(join(workspace, file), 'utf8');
    if (!text.includes('/')) continue;
    for (const { pattern, line } of expressionsIn(text, parseSource(file, text)))
      if (!found.has(pattern)) found.set(pattern, `${file}:${line}`);
  }
  return found;
}

function expressionsIn(text: string, tree: Node): readonly Expression[] {
  const found: Expression[] = [];
  walk(tree, (node) => {
    const { pattern } = (node.regex ?? {}) as { readonly pattern?: string };
    if (pattern !== undefined && pattern.length >= SHORTEST)
      found.push({ pattern, line: text.slice(0, node.start).split('\n').length });
    return true;
  });
  return found;
}

/** Shorter ones, such as white space at an end, everybody writes alike. */
const SHORTEST = 10;
