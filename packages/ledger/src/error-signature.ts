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
