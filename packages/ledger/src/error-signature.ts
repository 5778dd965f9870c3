import { oneLineOfWords } from './names.ts';
import { withoutNone } from './trouble.ts';

/** Lines that say what went wrong, the more telling ones first. */
const TELLING: readonly RegExp[] = [
  /^.*\berror TS\d+: .*$/m,
  /^[ \t]*(?:(?:E|Uncaught|throw new|Caused by:|\[cause\]:)[ \t]+)?[\w.]*(?:Error|Exception|Panic)\b(?:\s*\[[\w-]+\])?: .+$/m,
  /^.*\berror(?:\[\w+\])?: .+$/im,
  /^(?:fatal|panic|FATAL|ERROR)[: ].+$/m,
  /^.*(?:command not found|No such file or directory|Permission denied|not found|cannot find|undefined|unrecognized|invalid|failed|unable to|does not exist|conflict|unknown).*$/im,
  /^[ \t]*(?:✗|✘|×|FAIL|--- FAIL:|\(fail\)).+$/m,
];

const HEAD_LINES =
  /^(?:Chunk ID: .*|Wall time: .*|Process exited .*|Original token count: .*|Output:|OBSERVATION:|Exit code:? ?\d*|<\/?\w+>)[ \t]*$/gm;
const MAX_READ = 20_000;
const MAX_SIGNATURE = 180;

/** The one line of a failed result that says what went wrong, without escape codes, at most 180 characters. */
export function errorSignature(text: string): string {
  const plain = clean(
    text.length > MAX_READ ? `${text.slice(0, MAX_READ / 2)}\n${text.slice(-MAX_READ / 2)}` : text,
  );
  // a line of totals that counts nothing does not say what went wrong
  const telling = withoutNone(plain);
  for (const shape of TELLING) {
    const found = shape.exec(telling);
    if (found !== null) return short(plain.slice(found.index, found.index + found[0].length));
  }
  const lines = plain.split('\n').filter((line) => /[\p{L}]/u.test(line));
  return short(lines[0] ?? 'no output');
}

/** Lines that say why something failed, in the order in which they stand in an output. */
const REASONS: readonly RegExp[] = [
  /\berror TS\d+: /,
  /^[ \t]*(?:(?:E|Uncaught|throw new|Caused by:|\[cause\]:)[ \t]+)?[\w.]{0,80}(?:Error|Exception|Panic)\b(?:\s?\[[\w-]{1,40}\])?: \S/,
  /\berror(?:\[\w{1,20}\])?: \S/i,
  /^[ \t]*(?:✗|✘|×|●|FAIL\b|FAILED\b|--- FAIL:|\(fail\)|not ok\b)[ \t]*\S/,
  /^[ \t]*(?:fatal|panic|FATAL|ERROR)[: ]\S/,
  /^[ \t]*(?:expected|received|actual|got|assert\w*|want)\b[^\n]{0,40}?[:=]/i,
  /^[\w./-]{1,200}:\d{1,6}(?::\d{1,5})?:? \S/,
];
const MAX_REASON = 160;
const MOST_REASONS = 4;

/** The first lines of a failed output that say why, beside its signature; in their order, each once. */
export function errorLines(text: string): readonly string[] {
  const read =
    text.length > MAX_READ ? `${text.slice(0, MAX_READ / 2)}\n${text.slice(-MAX_READ / 2)}` : text;
  const plain = clean(read);
  const telling = withoutNone(plain).split('\n');
  const found = new Set<string>();
  for (const [index, line] of plain.split('\n').entries()) {
    if (line.length > LONGEST_LINE || !REASONS.some((shape) => shape.test(telling[index] ?? '')))
      continue;
    found.add(oneLineOfWords(line.replace(/<\/?tool_use_error>/g, ''), MAX_REASON));
    if (found.size === MOST_REASONS) break;
  }
  const [only] = found;
  return found.size === 1 && only === errorSignature(text) ? [] : [...found];
}

/** UTF-16 units; a longer line is data. */
const LONGEST_LINE = 1_000;

/** Written as a string, because a control character in a pattern is mostly a mistake. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-?]*[ -/]*[@-~]`, 'g');

function clean(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r/g, '').replace(HEAD_LINES, '');
}

function short(line: string): string {
  const one = line
    .replace(/<\/?tool_use_error>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return one.length > MAX_SIGNATURE ? `${one.slice(0, MAX_SIGNATURE - 1).trimEnd()}…` : one;
}
