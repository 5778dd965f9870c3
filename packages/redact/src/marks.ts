/**
 * Markers while a text is read. Each whole marker of a kind that exists is one character then, so that none of its words is
 * read; `[redacted:` that begins no such marker is another one, which hides nothing: a value is read on both sides of it.
 * The characters are private ones; where a text has them itself, they are written as two.
 */
export interface Marks {
  /** The text as it is read. */
  readonly mask: (text: string) => string;
  /** The text as it is written. */
  readonly unmask: (masked: string) => string;
  /** What stands for the marker of a kind. */
  readonly markOf: (name: string) => string;
  /** The last whole marker of a text as it is written. */
  readonly lastIn: (text: string) => string | undefined;
}

export const marker = (name: string): string => `[redacted: ${name}]`;

const FIRST = 0xe000;
const MOST_KINDS = 0xc0;
const HIGH = 0xe0;
const LOW = 0xf0;

/** What begins a marker and is none of a kind that exists, whole and cut. */
const STARTS = ['[redacted:', '[redacted'];
const DECOY = '[\ue0c0\ue0c1]';

/** `[redacted:`, which reads like a user's name in front of a password. */
export const BEGUN = '\ue0c0';

/** A whole marker. */
const MARK = '[\ue000-\ue0bf]';
/** What a text has of its own of these characters. */
const OWN = '[\ue0e0-\ue0ff]';
/** One of these characters, for lists of characters in patterns. */
export const MARKS = '\ue000-\ue0ff';
const ANY = new RegExp(`[${MARKS}]`);

/** What may stand glued to a secret: markers, and what looks like one. Of words that nothing shuts as few as will do. */
export const NOISE = `(?:${MARK}|${OWN}|${DECOY} ?(?:[a-z0-9 -]{0,40}\\]||[a-z0-9 -]{1,40}?)){0,4}`;
/** Behind it also what shuts a marker that has begun in front of it. */
export const TAIL = `(?:${NOISE}|\\](?<=${DECOY}[^"'\`\\r\\n]{0,200}\\])){0,2}`;

export function marksOf(names: readonly string[]): Marks {
  const kinds = [...new Set(names)];
  const known = new Map(kinds.map((name, index) => [name, String.fromCharCode(FIRST + index)]));
  const found = new RegExp(`\\[redacted(?::(?: (?<name>${kinds.join('|')})\\])?)?|[${MARKS}]`, 'g');
  const whole = new RegExp(`\\[redacted: (?:${kinds.join('|')})\\]`, 'g');
  return {
    mask: (text) =>
      text.replace(found, (match, name: string | undefined) => {
        if (name !== undefined) return known.get(name) ?? '';
        if (match.length > 1) return match.endsWith(':') ? '\ue0c0' : '\ue0c1';
        const own = match.charCodeAt(0) - FIRST;
        return String.fromCharCode(FIRST + HIGH + (own >> 4), FIRST + LOW + (own & 15));
      }),
    unmask: (masked) => (ANY.test(masked) ? masked.replace(WRITTEN, writtenOf(kinds)) : masked),
    markOf: (name) => known.get(name) ?? '',
    lastIn: (text) => text.match(whole)?.at(-1),
  };
}

const WRITTEN = /[\ue0e0-\ue0ef][\ue0f0-\ue0ff]|[\ue000-\ue0ff]/g;

const writtenOf = (kinds: readonly string[]) => (mark: string) => {
  const own = mark.charCodeAt(0) - FIRST;
  const start = STARTS[own - MOST_KINDS];
  if (start !== undefined) return start;
  if (mark.length > 1)
    return String.fromCharCode(FIRST + ((own & 15) << 4) + (mark.charCodeAt(1) & 15));
  const name = kinds[own];
  return name === undefined ? '' : marker(name);
};

export const isMarked = (masked: string): boolean => ANY.test(masked);

const IS_DECOY = new RegExp(DECOY);
const ALL_NOISE = new RegExp(
  `${MARK}|${OWN}|${DECOY}(?: ?[a-z0-9 -]{0,40}\\]| [a-z0-9 -]{0,40}$| ?)`,
  'g',
);
const ALL_MARKS = new RegExp(`${DECOY} ?|[${MARKS}]`, 'g');

/**
 * What a value is without markers: none where it is made of them alone. Words behind `[redacted:` may be those of a marker of
 * an unknown kind, or the value itself.
 */
export function readingsOf(value: string): readonly string[] {
  if (!ANY.test(value)) return [value];
  const given = value.replace(SCHEME, '');
  const words = given.replace(ALL_MARKS, '').replace(IS_DECOY.test(given) ? /\]$/ : /$/, '');
  const readings = [given.replace(ALL_NOISE, '').trim(), words.trim()].filter((each) =>
    /[\p{L}\p{N}]/u.test(each.replace(/\\{1,15}[nrt]/g, '')),
  );
  return [...new Set(readings)];
}

/** Whether a marker is the next word. */
export const isMarkNext = (text: string): boolean => text[0] === ' ' && IS_MARK.test(text[1] ?? '');
const IS_MARK = new RegExp(MARK);

/** What is said of a secret in front of it. */
const SCHEME = new RegExp(
  `^(?:(?:bearer|basic|digest|token|apikey|ssws|bot|key|geniekey|splunk|oauth|negotiate|mac|signature|hmac[a-z0-9-]{0,12}|aws4-hmac-sha256) {1,4}|pass:)(?=${MARK})`,
  'i',
);

const AFTER = new RegExp(`^(?:${MARK}|${OWN}|${DECOY} ?[a-z0-9 -]{0,40}\\]?){1,8}\\]?`);

/** What stands behind a value that ends there, without what is glued to it. */
export function behind(text: string, end: number, length: number): string {
  let from = end;
  while (ANY.test(text[from - 1] ?? '')) from--;
  const rest = text.slice(from, end + length);
  return ANY.test(rest[0] ?? '') ? rest.replace(AFTER, '') : rest;
}

/** The same pattern for a text with markers: what is glued to a secret is taken with it. */
export function withNoise(pattern: RegExp): RegExp {
  const begin = WORD_BEGIN.exec(pattern.source)?.[0] ?? '';
  const source = pattern.source.slice(begin.length);
  let result = begin && `(?:${begin}|(?<=${DECOY} ?[a-z0-9 -]{0,40}))`;
  const open: boolean[] = [];
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string;
    if (character === '\\') {
      result += source.slice(at, ++at + 1);
      continue;
    }
    if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') {
      const value = VALUE_GROUP.exec(source.slice(at, at + 10))?.[0];
      open.push(value !== undefined);
      if (value !== undefined) {
        result += value + NOISE;
        at += value.length - 1;
        continue;
      }
    } else if (character === ')' && open.pop()) result += TAIL;
    result += character;
  }
  return new RegExp(result, pattern.flags);
}

const WORD_BEGIN = /^\(\?<!\[A-Za-z0-9[^\]]*\]\)/;
const VALUE_GROUP = /^\(\?<(?:secret|bare)>/;
