import type { Found, SecretKind } from './kind.ts';
import { commandLine, listsIn, mayHaveLists, type Stretch } from './list.ts';
import {
  ALL_BUT_TOKENS,
  type Candidate,
  COMMANDS,
  candidatesIn,
  KINDS,
  type KindRange,
  TOKENS,
} from './look.ts';
import { behind, isMarked, marksOf, readingsOf, withNoise } from './marks.ts';
import { closingQuote, endOfBare, isCutOff, QUOTE, quotedAt } from './value.ts';

/**
 * Replaces each secret in a text by a marker that names its kind, e.g. `[redacted: github token]`. What stands around it
 * stays, and a text that is JSON stays JSON. Without a secret it is the same text. Redacting twice changes nothing more.
 * Time grows with the length, whatever the text is made of.
 *
 * It knows secrets by their form or by their name, so one that has neither stays; and a hash, an id or an integrity string
 * is none unless a flag, a variable or a header says so.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST) return text;
  let redacted = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = redacted;
    redacted = redactOnce(before);
    if (redacted === before) break;
  }
  return redacted;
}

/**
 * A marker may show that what is glued to it is a value, too, and behind a word for a secret each of up to six words may be one
 * once those in front of it are markers. A text without a secret is read once.
 */
const MOST_PASSES = 6;

/** `look`: which kinds a text may hold. */
export function redactOnce(text: string, look = candidatesIn): string {
  const given = read(text, { isMarked: false, look });
  if (given.candidates.length === 0 && !mayHaveLists(text)) return text;
  const withoutTokens = replaceKinds(reread(given, MARKS.mask(text)), TOKENS);
  const reading = reread(withoutTokens, replaceLists(withoutTokens.text));
  return MARKS.unmask(replaceKinds(reading, ALL_BUT_TOKENS).text);
}

/** A text and the kinds that it may hold. */
interface Reading {
  readonly text: string;
  readonly isMarked: boolean;
  readonly look: typeof candidatesIn;
  readonly candidates: readonly Candidate[];
}

const read = (text: string, given: Pick<Reading, 'isMarked' | 'look'>): Reading => ({
  ...given,
  text,
  candidates: given.look(text),
});

/** What changes puts markers in. */
const reread = (reading: Reading, text: string): Reading =>
  text === reading.text ? reading : read(text, { isMarked: true, look: reading.look });

function replaceKinds(given: Reading, [from, to]: KindRange, places?: Stretch[]): Reading {
  let reading = given;
  let next = from;
  for (;;) {
    const candidate = reading.candidates.find(({ kind }) => kind >= next);
    if (candidate === undefined || candidate.kind >= to) return reading;
    next = candidate.kind + 1;
    reading = reread(reading, replaceKind(reading, candidate, places));
  }
}

/** The arguments of a command without what is secret in them: `['mysql', '-pX']`. `program`: where its name stands elsewhere. */
export function redactArguments(list: readonly string[], program?: string): readonly string[] {
  return replaceArguments(list.map(MARKS.mask), program).map(MARKS.unmask);
}

function replaceArguments(list: readonly string[], program?: string): readonly string[] {
  const line = commandLine(list, program);
  if (line === undefined) return list;
  const redacted = replaceKinds(
    read(line.text, { isMarked: isMarked(line.text), look: candidatesIn }),
    COMMANDS,
    line.places,
  ).text;
  return line.places.map(({ start, end }) => redacted.slice(start, end));
}

function replaceLists(text: string): string {
  let result = '';
  let copied = 0;
  for (const { places, program } of listsIn(text)) {
    const list = places.map(({ start, end }) => text.slice(start, end));
    const redacted = replaceArguments(list, program);
    for (const [index, { start, end }] of places.entries()) {
      result += text.slice(copied, start) + redacted[index];
      copied = end;
    }
  }
  return result + text.slice(copied);
}

/** `-pX1` and the like stand behind the name of a command. */
const SHORTEST = 8;
const BEFORE_LENGTH = 400;

/** The markers there are. */
export const MARKS = marksOf(KINDS.map(({ name }) => name));

/** What to look for where a word of a kind stands, and in a text that has markers: made for the first text that may hold one. */
const AT_START = new Map<SecretKind, RegExp>();
const NOISY = new Map<SecretKind, RegExp>();

function patternOf(kind: SecretKind, isMarked: boolean): RegExp {
  const known = isMarked ? NOISY : AT_START;
  let pattern = known.get(kind);
  if (pattern !== undefined) return pattern;
  const { source, flags } = kind.pattern;
  pattern = kind.starts === undefined ? kind.pattern : new RegExp(source, flags.replace('g', 'y'));
  if (isMarked) pattern = withNoise(pattern);
  known.set(kind, pattern);
  return pattern;
}

/** Finds the first match from a place on; only where a word of its kind stands, if it begins with one. */
function matcherOf(
  kind: SecretKind,
  { text, isMarked }: Reading,
  starts: readonly number[] | undefined,
): (from: number) => RegExpExecArray | null {
  const pattern = patternOf(kind, isMarked);
  let next = 0;
  return (from) => {
    pattern.lastIndex = from;
    if (starts === undefined) return pattern.exec(text);
    for (; next < starts.length; next++) {
      const start = starts[next] as number;
      if (start < from) continue;
      pattern.lastIndex = start;
      const match = pattern.exec(text);
      if (match !== null) return match;
    }
    return null;
  };
}

/** With `places` only what stands inside of one of them is replaced, and they move with the text. */
function replaceKind(
  reading: Reading,
  { kind: number, starts }: Candidate,
  places?: Stretch[],
): string {
  const kind = KINDS[number] as SecretKind;
  const { end: endOf, bareEnd } = kind;
  const { text } = reading;
  const matchFrom = matcherOf(kind, reading, starts);
  let from: number;
  let result = '';
  let copied = 0;
  const moved: Replacement[] = [];
  let place = 0;
  for (let match = matchFrom(0); match !== null; match = matchFrom(from)) {
    const { index } = match;
    const matched = index + match[0].length;
    from = matched;
    let end = endOf === undefined ? matched : (endOf(text, index, matched) ?? index);
    if (end === index) continue;
    const given = match.groups ?? {};
    const quoted = given.quote === undefined ? undefined : quotedAt(text, end, given.quote);
    if (given.quote !== undefined && quoted === undefined) continue;
    end += quoted?.length ?? 0;
    let { bare } = given;
    if (bare !== undefined && bareEnd !== undefined) {
      const start = end - bare.length;
      end = bareEnd(text, index, end);
      bare = text.slice(start, end);
    }
    if (bare !== undefined && places === undefined) {
      const start = end - bare.length;
      const shut = bare.endsWith(']') ? shutBehind(bare, text.slice(index, start)) : 0;
      bare = text.slice(start, end - shut);
      end -= shut;
    }
    const groups: Found['groups'] = { ...given, quoted, bare };
    const secret = groups.secret ?? quoted ?? groups.bare ?? text.slice(index, end);
    const valueEnd = end;
    const rest = () => behind(text, valueEnd, BEFORE_LENGTH);
    const found: Found = {
      secret,
      match: match[0],
      groups,
      before: () => text.slice(Math.max(0, index - BEFORE_LENGTH), index),
      after: rest().slice(0, 1),
      rest,
    };
    const kindOf = kindFound(kind, found);
    if (kindOf === undefined) continue;
    // the secret is the last of its match in every pattern
    const start = end - secret.length;
    if (isCutOff(given.bare)) end = endOfBare(text, end);
    let put = MARKS.markOf(kindOf);
    if (places === undefined) put = inQuotes(put, text.slice(index, start));
    else {
      while ((places[place]?.end ?? Number.POSITIVE_INFINITY) <= start) place++;
      const within = places[place];
      if (within === undefined || within.start > start) continue;
      const isCut = groups.bare !== undefined && /[;&|<>(){}]/.test(found.after);
      if (isCut || end > within.end) end = within.end;
      moved.push({ start, end, length: put.length });
    }
    result += text.slice(copied, start) + put;
    copied = end;
    from = end;
  }
  if (places !== undefined) move(places, moved);
  return result + text.slice(copied);
}

/** What a match is, as if no marker were glued to its value; undefined: nothing, or markers alone. */
function kindFound({ name, isSecret }: SecretKind, found: Found): string | undefined {
  for (const secret of readingsOf(found.secret)) {
    const { quoted, bare } = found.groups;
    const groups =
      secret === found.secret
        ? found.groups
        : {
            ...found.groups,
            ...(found.groups.secret !== undefined && { secret }),
            ...(quoted !== undefined && { quoted: secret }),
            ...(bare !== undefined && { bare: secret }),
          };
    const kind = isSecret?.({ ...found, secret, groups }) ?? true;
    if (kind !== false) return kind === true ? name : kind;
  }
  return undefined;
}

interface Replacement extends Stretch {
  readonly length: number;
}

/** Each replacement stands inside of one place. */
function move(places: readonly Stretch[], replacements: readonly Replacement[]): void {
  let next = 0;
  let by = 0;
  for (const place of places) {
    const { end } = place;
    place.start += by;
    for (; next < replacements.length; next++) {
      const { start, end: replaced, length } = replacements[next] as Replacement;
      if (start >= end) break;
      by += length - (replaced - start);
    }
    place.end = end + by;
  }
}

/** A value without quotes behind a name in quotes may be a number of JSON; what stands in its place is a text of the same depth. */
function inQuotes(text: string, before: string): string {
  const quote = closingQuote(BARE_VALUE.exec(before.slice(-BARE_LENGTH))?.[1] ?? '');
  return quote + text + quote;
}

/** How many brackets at the end of a value of JSON, behind a text in quotes, are those of the lists around it. */
function shutBehind(bare: string, before: string): number {
  const shut = JSON_VALUE.exec(bare)?.groups?.shut ?? '';
  return shut !== '' && BARE_VALUE.test(before.slice(-BARE_LENGTH)) ? shut.length : 0;
}

const BARE_VALUE = new RegExp(`(${QUOTE})\\s{0,8}(?:\\]\\s{0,8},|[:,])\\s{0,8}$`);
const BARE_LENGTH = 48;
const JSON_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null)(?<shut>\]+)$/;
