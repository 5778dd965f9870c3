import { homedir } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import ignore from 'ignore';
import { realPathOf } from './paths.ts';
import type { SimpleCommand, Word } from './shell-line.ts';

/** A line of `allow`, `ask` or `deny`, read. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  readonly tool: string;
  readonly specifier?: string | undefined;
  /** What a path with one slash in front starts from: the folder that the settings are of. */
  readonly base: string;
}

/** A rule, or why it could never fit. */
export type ReadRule =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'useless'; readonly reason: string };

/** What a rule with a path says of one kind of access, it says of all tools with it. */
export const READERS = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);
export const EDITORS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const WITH_SPECIFIER = new Set(['Bash', 'WebFetch', 'Skill', 'Task', ...READERS, ...EDITORS]);
const KNOWN = new Set([
  ...WITH_SPECIFIER,
  ...[
    'WebSearch',
    'TodoWrite',
    'TodoRead',
    'BashOutput',
    'KillShell',
    'ExitPlanMode',
    'SendMessage',
    'ToolSearch',
  ],
]);

/** Reads `Tool` or `Tool(specifier)`. */
export function readRule(text: string, base: string, tools: readonly string[] = []): ReadRule {
  const useless = (reason: string): ReadRule => ({ kind: 'useless', reason: `${text}: ${reason}` });
  const [, tool, inner] = /^\s*([\w*-]+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  if (tool === undefined) return useless('a rule is Tool or Tool(specifier)');
  const isMcp = tool.startsWith('mcp__');
  if (!isMcp && !KNOWN.has(tool) && !tools.includes(tool))
    return useless(`there is no tool ${tool}`);
  if (isMcp && !/^mcp__[\w-]+(?:__[\w*-]+)?$/.test(tool))
    return useless('it names no server: mcp__server or mcp__server__tool');
  const specifier = inner === undefined || inner.trim() === '*' ? undefined : inner.trim();
  if (specifier === undefined) return { kind: 'rule', rule: { text, tool, base } };
  if (specifier === '') return useless('there is nothing between the brackets');
  if (isMcp || !WITH_SPECIFIER.has(tool)) return useless(`${tool} takes no specifier`);
  if (tool === 'WebFetch' && !/^domain:\S+$/.test(specifier))
    return useless('WebFetch takes domain:name');
  return { kind: 'rule', rule: { text, tool, specifier, base } };
}

/** Rules with commas or blanks between them, each as it was written: what is left open is one rule to the end, which `faultOfRule` names. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const sign of text) {
    if (depth === 0 && /[\s,]/.test(sign)) {
      rules.push(rule);
      rule = '';
      continue;
    }
    rule += sign;
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
  }
  return [...rules, rule].filter((each) => each !== '');
}

/** What is wrong with the form of a rule, whichever tools there are; undefined where nothing is. */
export function faultOfRule(text: string): string | undefined {
  const count = (sign: string) => text.split(sign).length;
  if (count('(') !== count(')')) return `${text}: a bracket is missing`;
  const [tool = ''] = text.trim().split(/[\s(]/);
  const read = readRule(text, '/', [tool]);
  return read.kind === 'useless' ? read.reason : undefined;
}

/** Whether a rule is about a tool, whatever it is called with. */
export function isAbout({ tool }: Rule, name: string): boolean {
  if (tool === name) return true;
  if (tool === 'Edit') return EDITORS.has(name);
  if (tool === 'Read') return READERS.has(name);
  if (!tool.startsWith('mcp__') || !name.startsWith('mcp__')) return false;
  if (tool.includes('*')) return fitsWildcard(tool, name);
  return name.startsWith(`${tool}__`);
}

/** The same for a rule that forbids or asks: one with a path is about all tools with that kind of access. */
export const forbidsTool = (rule: Rule, name: string): boolean =>
  isAbout(rule, name) ||
  (rule.specifier !== undefined &&
    [READERS, EDITORS].some((tools) => tools.has(rule.tool) && tools.has(name)));

/** Whether a pattern of a path, as git reads it, fits a path. `//` is absolute, `~/` of the home, `/` of the settings, else of `cwd`. */
export function fitsPath({ specifier = '**', base }: Rule, path: string, cwd: string): boolean {
  const [root, pattern] = rootOf(specifier, base, cwd);
  const way = relative(root, resolve(path));
  if (way === '') return /^\/?(?:\*\*)?\/?$/.test(pattern);
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) return false;
  const matcher = ignore({ allowRelativePaths: false }).add(pattern);
  return matcher.ignores(way) || matcher.ignores(`${way}/`);
}

/** Whether a rule forbids a file, by its path or by where that leads. */
export const forbidsFile = (rule: Rule, path: string, cwd: string): boolean =>
  fitsPath(rule, path, cwd) || fitsPath(rule, realPathOf(path), realPathOf(cwd));

function rootOf(specifier: string, base: string, cwd: string): [string, string] {
  if (specifier.startsWith('//')) return ['/', specifier.slice(1)];
  if (specifier.startsWith('~/')) return [homedir(), specifier.slice(1)];
  if (specifier.startsWith('/')) return [base, specifier];
  if (/^\.\.?\//.test(specifier)) {
    const [, ups = '', rest = ''] = /^((?:\.\.?\/)+)(.*)$/s.exec(specifier) ?? [];
    return [resolve(cwd, ups), `/${rest}`];
  }
  return [cwd, specifier];
}

/** A rule with a path as a pattern for a search from `cwd`; undefined where it is about nothing there. */
export function searchGlob({ specifier = '**', base }: Rule, cwd: string): string | undefined {
  const [root, pattern] = rootOf(specifier, base, cwd);
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  if (root === cwd) return isAnchored && !/^(?:\/|\*\*)/.test(pattern) ? `/${pattern}` : pattern;
  const down = relative(cwd, root);
  if (!down.startsWith('..'))
    return `/${down}/${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '')}`;
  const above = `/${relative(root, cwd)}/`;
  if (isAnchored && pattern.startsWith(above)) return `/${pattern.slice(above.length)}`;
  if (!isAnchored || /^\/?\*\*/.test(pattern)) return pattern.replace(/^\/(?=\*\*)/, '');
  return undefined;
}

/** Whether `domain:name` is the host of an address or above it. */
export function fitsDomain({ specifier = '' }: Rule, address: string): boolean {
  const domain = specifier.replace(/^domain:/, '').toLowerCase();
  const host = hostOf(address);
  if (domain.includes('*')) return fitsWildcard(domain, host);
  return host === domain || host.endsWith(`.${domain}`);
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname.toLowerCase().replace(/\.$/, '');
  } catch {
    return ''; // no address, so of no domain
  }
}

/**
 * How a rule for commands fits: `never`, `maybe` where a word is not known before it runs, or `yes`. `git diff:*` fits by words,
 * with anything behind; a `*` elsewhere stands for any text, and ` *` at the end also for none; without either all is the same.
 */
export function fitsCommand(
  { specifier }: Rule,
  { words }: SimpleCommand,
): 'never' | 'maybe' | 'yes' {
  if (specifier === undefined) return 'yes';
  const prefix = specifier.endsWith(':*') ? specifier.slice(0, -2) : undefined;
  if (prefix !== undefined && !prefix.includes('*')) return fitsWords(prefix.split(/\s+/), words);
  const line = words.map(({ text }) => text).join(' ');
  const pattern = prefix === undefined ? specifier : `${prefix} *`;
  const isFitting = pattern.endsWith(' *')
    ? fitsWildcard(pattern, line) || fitsWildcard(pattern.slice(0, -2), line)
    : fitsWildcard(pattern, line);
  if (isFitting) return 'yes';
  return words.some((word) => !word.isFixed) && mayFit(pattern, words) ? 'maybe' : 'never';
}

function fitsWords(prefix: readonly string[], words: readonly Word[]): 'never' | 'maybe' | 'yes' {
  for (const [index, wanted] of prefix.entries()) {
    const word = words[index];
    if (word === undefined) return 'never';
    if (!word.isFixed) return 'maybe';
    if (word.text !== wanted) return 'never';
  }
  return 'yes';
}

/** Whether a pattern could fit once the words are known that are not fixed. */
function mayFit(pattern: string, words: readonly Word[]): boolean {
  const known: string[] = [];
  for (const { text, isFixed } of words) {
    if (!isFixed) break;
    known.push(text);
  }
  const literal = pattern.split('*')[0] ?? '';
  const line = known.join(' ');
  return literal.startsWith(line) || line.startsWith(literal);
}

/** Whether a pattern in which `*` stands for any text is all of a text; in one pass, whatever the pattern. */
function fitsWildcard(pattern: string, text: string): boolean {
  const [start = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return text === start;
  const end = text.length - last.length;
  if (end < start.length || !text.startsWith(start) || !text.endsWith(last)) return false;
  let at = start.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
