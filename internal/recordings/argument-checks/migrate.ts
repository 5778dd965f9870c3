import type { Call } from '../../src/record/recording.ts';
import { edit, editAll } from '../../src/record/steps.ts';

// An `if` that does nothing but refuse an argument; chains with `else` are left out.
const BLOCK =
  /^( *)if \(([^{}]*?)\) \{\n +throw new InvalidArgumentError\(([^{}]*?)\)\n\1\}\n(?! *else)/gm;

const IMPORT =
  /const \{([^}]*\bInvalidArgumentError\b[^}]*)\} = require\('([^']*)errors(\.js)?'\)\n/;

interface Rule {
  readonly condition: RegExp;
  call(value: string, message: string, bound: string): string;
}

const NAME = '([\\w.?[\\]#]+)';
const rule = (condition: string, call: Rule['call']): Rule => ({
  condition: new RegExp(`^${condition.replaceAll('NAME', NAME)}$`),
  call,
});

const RULES: readonly Rule[] = [
  rule("typeof NAME !== 'function'", (value, message) => `check.function(${value}, ${message})`),
  rule("typeof NAME !== 'string'", (value, message) => `check.string(${value}, ${message})`),
  rule("typeof NAME === 'undefined'", (value, message) => `check.defined(${value}, ${message})`),
  rule('!NAME', (value, message) => `check.given(${value}, ${message})`),
  rule(
    "!NAME \\|\\| typeof \\1 !== 'object'",
    (value, message) => `check.object(${value}, ${message})`,
  ),
  rule(
    "typeof NAME !== 'object' \\|\\| \\1 === null",
    (value, message) => `check.object(${value}, ${message})`,
  ),
  rule('NAME !== undefined', (value, message) => `check.unsupported(${value}, ${message})`),
  rule(
    "NAME && typeof \\1 !== '(function|string)'",
    (value, message, type) => `check.ifSet(${value}, '${type}', ${message})`,
  ),
  rule(
    "NAME != null && typeof \\1 !== '(function|string|boolean)'",
    (value, message, type) => `check.optional(${value}, '${type}', ${message})`,
  ),
  rule(
    'NAME != null && \\(!Number\\.isInteger\\(\\1\\) \\|\\| \\1 < (-?\\d+)\\)',
    (value, message, min) => `check.optionalInteger(${value}, ${min}, ${message})`,
  ),
  rule(
    'NAME != null && \\(!Number\\.isFinite\\(\\1\\) \\|\\| \\1 < (-?\\d+)\\)',
    (value, message, min) => `check.optionalFinite(${value}, ${min}, ${message})`,
  ),
  rule(
    'NAME != null && \\(!Number\\.isFinite\\(\\1\\) \\|\\| \\1 <= 0\\)',
    (value, message) => `check.optionalPositive(${value}, ${message})`,
  ),
  rule(
    "NAME != null && \\(typeof \\1 !== 'number' \\|\\| !Number\\.isInteger\\(\\1\\) \\|\\| \\1 < (-?\\d+)\\)",
    (value, message, min) => `check.optionalInteger(${value}, ${min}, ${message})`,
  ),
  rule(
    "NAME != null && \\(typeof \\1 !== 'number' \\|\\| \\1 < (-?\\d+)\\)",
    (value, message, min) => `check.optionalNumber(${value}, ${min}, ${message})`,
  ),
  rule(
    "typeof NAME !== 'number' \\|\\| !Number\\.isInteger\\(\\1\\) \\|\\| \\1 <= 0",
    (value, message) => `check.positiveInteger(${value}, ${message})`,
  ),
  rule(
    "NAME != null && typeof \\1 !== 'function' && typeof \\1 !== 'object'",
    (value) => `check.connector(${value})`,
  ),
  rule(
    "NAME && typeof \\1\\.on !== 'function' && typeof \\1\\.addEventListener !== 'function'",
    (value) => `check.signal(${value})`,
  ),
  rule("NAME === 'CONNECT'", (value) => `check.notConnect(${value})`),
  rule(
    "!NAME \\|\\| !\\1\\.agent \\|\\| typeof \\1\\.agent\\.dispatch !== 'function'",
    (value) => `check.agentOption(${value})`,
  ),
];

interface Found {
  readonly start: number;
  readonly block: string;
  readonly replacement: string;
}

/** The edits that replace the checks of a file, neighbouring ones together, and then the one of its imports. */
export function checkEdits(path: string, text: string): Call[] {
  const runs = joinNeighbours(findChecks(text), text);
  const replaced = new Set<string>();
  const calls = runs.flatMap(({ block, replacement }) => {
    if (replaced.has(block)) return [];
    replaced.add(block);
    const several = text.split(block).length > 2;
    return [several ? editAll(path, block, replacement) : edit(path, block, replacement)];
  });
  const after = runs.reduce(
    (result, { block, replacement }) => result.replace(block, () => replacement),
    text,
  );
  const [line, newLine] = importEdit(after);
  return calls.length === 0 ? [] : [...calls, edit(path, line, newLine)];
}

function findChecks(text: string): Found[] {
  return [...text.matchAll(BLOCK)].flatMap((match) => {
    const [block, indent, condition, message] = match as unknown as [
      string,
      string,
      string,
      string,
    ];
    const call = replacementFor(
      condition.replace(/\s+/g, ' ').trim(),
      message.replace(/\s+/g, ' ').trim(),
    );
    return call === undefined
      ? []
      : [{ start: match.index, block, replacement: `${indent}${call}\n` }];
  });
}

function replacementFor(condition: string, message: string): string | undefined {
  for (const { condition: pattern, call } of RULES) {
    const match = pattern.exec(condition);
    if (match) return call(match[1] as string, message, match[2] ?? '');
  }
  return undefined;
}

function joinNeighbours(found: readonly Found[], text: string): Found[] {
  const runs: Found[] = [];
  for (const next of found) {
    const last = runs.at(-1);
    const gap = last && text.slice(last.start + last.block.length, next.start);
    if (last === undefined || gap === undefined || gap.trim() !== '') {
      runs.push(next);
      continue;
    }
    runs[runs.length - 1] = {
      start: last.start,
      block: last.block + gap + next.block,
      replacement: last.replacement + next.replacement,
    };
  }
  return runs;
}

function importEdit(text: string): [string, string] {
  const match = IMPORT.exec(text);
  if (!match) throw new Error('the file does not import InvalidArgumentError');
  const [line, list, folder, extension = ''] = match as unknown as [
    string,
    string,
    string,
    string?,
  ];
  const used = (text.match(/\bInvalidArgumentError\b/g) ?? []).length > 1;
  const names = list.split(',').map((name) => name.trim());
  const kept = names.filter((name) => name !== '' && (used || name !== 'InvalidArgumentError'));
  const separator = list.includes('\n') && kept.length > 1 ? ',\n  ' : ', ';
  const body = kept.join(separator);
  const open = separator === ', ' ? `{ ${body} }` : `{\n  ${body}\n}`;
  const errors =
    kept.length === 0 ? '' : `const ${open} = require('${folder}errors${extension}')\n`;
  return [line, `${errors}const check = require('${folder}check${extension}')\n`];
}
