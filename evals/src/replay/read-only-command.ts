/**
 * Whether a shell command only looks: each of its parts (split at `&&`, `||`, `;`, `|` and line ends) begins with a
 * program that reads, and nothing is redirected into a file. What is not known to be harmless counts as not.
 */
export function isReadOnlyCommand(command: string): boolean {
  const bare = command.replace(QUOTED, 'word').replace(HARMLESS_REDIRECT, '');
  if (RUNS_OR_WRITES.test(bare)) return false;
  const parts = bare.split(SEPARATOR).map((part) => part.trim());
  return parts.filter((part) => part !== '').every(isReading);
}

function isReading(part: string): boolean {
  const words = part.split(/\s+/).filter((word) => !ASSIGNMENT.test(word));
  const [program = '', argument = ''] = words;
  if (program === 'git') return GIT_READS.has(argument);
  if (program === 'sed') return !words.some((word) => /^-\w*i|^--in-place/.test(word));
  if (program === 'find' || program === 'fd') return !words.some((word) => ACTS.has(word));
  return READS.has(program);
}

/** Quoted words, as long as no shell would run something inside them. */
const QUOTED = /'[^']*'|"[^"`$\\]*"/g;
const RUNS_OR_WRITES = />|<<|\$\(|`/;
const HARMLESS_REDIRECT = /\d?>&\d|&?\d?>>?\s*\/dev\/null/g;
const SEPARATOR = /&&|\|\||[;|\n]/;
const ASSIGNMENT = /^\w+=/;
const ACTS: ReadonlySet<string> = new Set(['-delete', '-exec', '-execdir', '-x', '-X', '--exec']);
const GIT_READS: ReadonlySet<string> = new Set([
  'blame',
  'diff',
  'grep',
  'log',
  'ls-files',
  'show',
  'status',
]);
const READS: ReadonlySet<string> = new Set([
  'awk',
  'bat',
  'cat',
  'cd',
  'cut',
  'diff',
  'echo',
  'file',
  'grep',
  'egrep',
  'fgrep',
  'head',
  'jq',
  'ls',
  'nl',
  'pwd',
  'rg',
  'sort',
  'stat',
  'tail',
  'tr',
  'tree',
  'uniq',
  'wc',
  'which',
]);
