import type { Superseded } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import { nameOfFile } from '../names.ts';
import { hasWord, wordAt } from '../render/words.ts';
import type { Finding, Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { isOwnLine, type Spoken } from './spoken.ts';

/**
 * Corrects values that were superseded: on a line that names a key with an old value and not with the current one, the current
 * one is written. Lines that tell the change (`was 8`, `from 8 to 12`) name both and stay.
 */
export function correctValues(text: string, ledger: Ledger, spoken: Spoken): Repaired {
  const current = new Set(ledger.facts().map(({ type, key, value }) => nameAnd(type, key, value)));
  const isTrue = ({ type, key, value }: Superseded) => current.has(nameAnd(type, key, value));
  const stale = ledger.superseded().filter((old) => isChecked(old) && !isTrue(old));
  const staleOn = createStaleIndex(stale);
  return checkLines(text, (line, section) => {
    const findings: Finding[] = [];
    let corrected = line;
    // what the user said stays as it was said
    for (const old of section === 'said' ? [] : staleOn(line)) {
      const next = correctLine(corrected, old);
      if (next === corrected || isOwnLine(line, spoken)) continue;
      findings.push({ kind: 'stale-value', detail: `${old.key}: ${old.value}` });
      corrected = next;
    }
    return { text: corrected, findings };
  });
}

/** Two todos may have one text, `two` and `two (2)`: what is true of either is no old value. */
const nameAnd = (type: string, key: string, value: string): string =>
  `${type}\n${plainKey(key)}\n${value}`;

const plainKey = (key: string): string => key.replace(/ \([^)]*\)$/, '');

/** Superseded values that are tried on one line, the newest of those whose key may stand there. */
const MOST_TRIED = 200;

/** Finds the values whose key may stand on a line by the rarest word of the key: a line costs what it is long. */
function createStaleIndex(stale: readonly Superseded[]): (line: string) => readonly Superseded[] {
  const words = stale.map(({ type, key }) => wordsOf(type === 'file' ? nameOfFile(key) : key));
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byWord = new Map<string, number[]>();
  for (const [index, own] of words.entries()) {
    const rarest = own.reduce<string | undefined>(
      (best, word) =>
        (counts.get(word) ?? 0) < (counts.get(best ?? '') ?? Number.POSITIVE_INFINITY)
          ? word
          : best,
      undefined,
    );
    const known = byWord.get(rarest ?? '');
    if (known === undefined) byWord.set(rarest ?? '', [index]);
    else known.push(index);
  }
  return (line) => {
    const found = [...new Set(['', ...wordsOf(line)])].flatMap((word) =>
      (byWord.get(word) ?? []).slice(-MOST_TRIED),
    );
    const tried = [...new Set(found)].slice(-MOST_TRIED).toSorted((one, other) => one - other);
    return tried.map((index) => stale[index] as Superseded);
  };
}

const wordsOf = (text: string): readonly string[] =>
  plainKey(text)
    .toLowerCase()
    .match(/[\p{L}\d_]+/gu) ?? [];

const CHECKED = new Set(['literal', 'todo', 'test-status', 'choice', 'file']);
const isChecked = ({ type, current }: Superseded): boolean =>
  current !== undefined && CHECKED.has(type);

function correctLine(line: string, old: Superseded): string {
  const { type, key, value, current = '' } = old;
  if (!namesKey(line, old) || PAST.test(line) || isQuoted(line, value)) return line;
  const written = type === 'file' ? wordOf(value) : value;
  const now = type === 'file' ? wordOf(current) : current;
  const at = placeOf(line, key, written);
  if (written === now || at === -1 || hasWord(line, now)) return line;
  return `${line.slice(0, at)}${current}${line.slice(at + written.length)}`;
}

/** A line that tells of a change may name the old value. */
const PAST =
  /\b(?:was|were|previously|formerly|before|originally|earlier|no longer|not|changed from|used to)\b/i;

/** Inside of a quote nothing is corrected. */
function isQuoted(line: string, value: string): boolean {
  const quotes = line.match(/"[^"]*"|“[^”]*”/g) ?? [];
  return quotes.some((quote) => hasWord(quote, value));
}

function namesKey(line: string, { type, key }: Superseded): boolean {
  if (type === 'file') return suffixesOf(key).some((path) => namesFile(line, path));
  return hasWord(line.toLowerCase(), plainKey(key).toLowerCase());
}

/** A path and what is left of it without its first folders. */
const suffixesOf = (path: string): readonly string[] => [
  path,
  ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1)),
];

/** Not as the end of a longer path: `sub/a.ts` is another file than `a.ts`. */
const namesFile = (line: string, path: string): boolean =>
  hasWord(line.replaceAll(`/${path}`, ' '), path);

/** Where the old value stands as a word, and not inside of the key; -1 where it does not. */
const placeOf = (line: string, key: string, value: string): number =>
  wordAt(line.replaceAll(key, '_'.repeat(key.length)), value);

/** Of a file only whether it is there or gone is worth correcting. */
function wordOf(state: string): string {
  if (/^(?:deleted|moved)/.test(state)) return state.split(' ')[0] ?? state;
  return state.startsWith('created') ? 'created' : 'edited';
}
