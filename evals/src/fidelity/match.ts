import type { Message } from '@varve/messages';
import { recordsOf } from './context-text.ts';
import { createFactExtractor } from './facts/extract.ts';
import type { Fact, FactValue } from './facts/fact.ts';

/**
 * `bound`: key and current value stand together. `contradicted`: the key stands with a value that is no longer true, and
 * never with the true one. `recoverable`: it is not there, but the id of the message that holds it is. `key-only`: named, and
 * no value with it.
 */
export type Match = 'bound' | 'recoverable' | 'key-only' | 'contradicted' | 'lost';

/** Messages to look facts up in. */
export interface Haystack {
  /** `name` is what its key is called by; by default all of it. */
  match(fact: Fact, name?: string): Match;
}

/**
 * What is still there as it happened, a call and its result, is read as the session was; everything else is text, in
 * which a key and its value have to stand in one line or within 200 characters.
 */
export function createHaystack(messages: readonly Message[]): Haystack {
  const text = recordsOf(messages).join('\n');
  const verbatim = factsIn(messages);
  const words = normalised(text);
  const slashed = lazily(() => text.replaceAll('\\', '/'));
  const shingles = lazily(() => shinglesOf(words));
  const isQuoted = ({ type, key }: Fact): boolean => {
    const wanted = normalised(key);
    if (wanted === '' || ` ${words} `.includes(` ${wanted} `)) return true;
    // of a rule, one word less can say the opposite
    return type === 'user-message' && coverage(wanted, shingles()) >= QUOTED_SHARE;
  };
  const find = (fact: Fact, name: string): Match => {
    const { type, key, value, stale } = fact;
    if (verbatim.has(nameOf(fact))) return 'bound';
    if (QUOTES.has(type)) return isQuoted(fact) ? 'bound' : 'lost';
    const shown = isFile(fact) ? slashed() : text;
    const places = isFile(fact)
      ? placesOf(shown, name).filter((at) => isPathOf(key, shown, at + name.length))
      : placesOf(shown, key.slice(0, NAMING).trim());
    if (places.length === 0) return 'lost';
    const stands = (each: FactValue): boolean =>
      places.some((at) =>
        standsAt(shown, at, { length: isFile(fact) ? name.length : key.length, value: each }),
      );
    if (value === undefined || stands(value)) return 'bound';
    return stale.some(stands) ? 'contradicted' : 'key-only';
  };
  return {
    match(fact, name = fact.key) {
      const found = find(fact, name);
      const isThere = found === 'bound' || found === 'contradicted';
      return !isThere && hasHandle(text, fact.messageId) ? 'recoverable' : found;
    },
  };
}

function factsIn(messages: readonly Message[]): ReadonlySet<string> {
  const extractor = createFactExtractor();
  for (const message of messages) extractor.add(message);
  return new Set(extractor.facts().map(nameOf));
}

const nameOf = ({ type, key, value }: Fact): string => [type, key, value?.name].join('\n');

/** What has to be there in its own words. */
const QUOTES: ReadonlySet<string> = new Set(['user-message', 'constraint']);
const QUOTED_SHARE = 0.9;
const WINDOW = 200;

const isFile = ({ type }: Fact): boolean => type.startsWith('file-');

/** The path that ends there is the file's, or an end of it, or it seen from further above. */
function isPathOf(key: string, text: string, end: number): boolean {
  const path = /[\w.@~+/-]*$/.exec(text.slice(Math.max(0, end - MOST_OF_LINE), end))?.[0] ?? '';
  const named = path.replace(/^(?:\.{1,2}\/)+/, '');
  return `/${key}`.endsWith(`/${named}`) || `/${named}`.endsWith(`/${key}`);
}

/** Characters at the beginning of a long text that name it. */
const NAMING = 80;

function placesOf(text: string, name: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    places.push(at);
  return places;
}

/** In the line of the key; or near it, unless the line says the opposite. */
function standsAt(
  text: string,
  at: number,
  { length, value }: { readonly length: number; readonly value: FactValue },
): boolean {
  const from = Math.max(text.lastIndexOf('\n', at) + 1, at - MOST_OF_LINE);
  const end = text.indexOf('\n', at + length);
  const line = text.slice(
    from,
    Math.min(end === -1 ? text.length : end, at + length + MOST_OF_LINE),
  );
  const last = line.split(LATER).at(-1) as string;
  if (value.against?.test(last) && !value.words.test(last)) return false;
  if (value.words.test(line)) return true;
  if (value.against?.test(line)) return false;
  return value.words.test(text.slice(Math.max(0, at - WINDOW), at + length + WINDOW));
}

/** `deleted, then edited` is no longer deleted. */
const LATER = /\b(?:then|later|afterwards|finally)\b/i;

const MOST_OF_LINE = 400;

const normalised = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Runs of four words: nine tenths of them are there when nine tenths of the text are, in order. */
function shinglesOf(words: string): ReadonlySet<string> {
  const list = words.split(' ');
  return new Set(list.map((_, at) => list.slice(at, at + SHINGLE).join(' ')));
}

function coverage(wanted: string, known: ReadonlySet<string>): number {
  const list = wanted.split(' ');
  const own = list
    .slice(0, Math.max(1, list.length - SHINGLE + 1))
    .map((_, at) => list.slice(at, at + SHINGLE).join(' '));
  return own.filter((shingle) => known.has(shingle)).length / own.length;
}

const SHINGLE = 4;

/** Behind a bracket, a number sign or the word message: short ids are also line numbers and names. */
function hasHandle(text: string, id: string): boolean {
  for (const at of placesOf(text, id)) {
    const isWhole = !/[\w-]/.test(text[at + id.length] ?? ' ');
    if (isWhole && /(?:[[#(`]|message )$/.test(text.slice(Math.max(0, at - 9), at))) return true;
  }
  return false;
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
