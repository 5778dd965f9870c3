import { isText, type Message } from '@varve/messages';
import { recordsOf } from './context-text.ts';
import { checkOf } from './facts/checks.ts';
import { createFactExtractor } from './facts/extract.ts';
import type { Fact, FactValue } from './facts/fact.ts';
import { DENIAL, isDenial } from './facts/said-facts.ts';
import { type Claims, claimsIn, countsIn, isHedged } from './match/claims.ts';
import { flatJson } from './match/flat-json.ts';
import { createQuotes, plainWords } from './match/quotes.ts';
import { claimsAbout, type Span } from './match/region.ts';
import { createStatementFinder, type Statement } from './match/statements.ts';

/**
 * `bound`: one statement says the current value of the key, and no other. `contradicted`: what is said of the key is not so,
 * or no longer. `recoverable`: it is not there, but the id of the message that holds it is. `key-only`: named, and no
 * value with it, or several.
 */
export type Match = 'bound' | 'recoverable' | 'key-only' | 'contradicted' | 'lost';

/** Messages to look facts up in. */
export interface Haystack {
  /** `name` is what its key is called by; by default all of it. */
  match(fact: Fact, name?: string): Match;
}

/**
 * What is still there as it happened, a call and its result, is read as the session was; everything else is text, in which
 * one statement has to say it. The newest statements count, and among them what is listed before what is told.
 */
export function createHaystack(messages: readonly Message[]): Haystack {
  const { text, ends, words } = textOf(messages);
  const verbatim = lazily(() => statesIn(messages));
  const statements = createStatementFinder(text, ends);
  const quotes = lazily(() => createQuotes(words()));
  const lower = lazily(() => text.toLowerCase());
  const slashed = lazily(() => text.replaceAll('\\', '/'));
  const find = (fact: Fact, name: string): Match => {
    if (fact.terms !== undefined) return saidTogether(fact, lower(), statements);
    if (QUOTES.has(fact.type)) return quotes().has(fact) ? 'bound' : 'lost';
    const { value } = fact;
    const kept = verbatim()(fact);
    if (kept !== undefined && kept === value?.name) return 'bound';
    const shown = isFile(fact) ? slashed() : text;
    const places = placesOf(fact, name, shown);
    if (value === undefined) return kept === undefined && places.length === 0 ? 'lost' : 'bound';
    const told = newest(places.map((place) => tellingAt(statements, place, fact, shown)));
    if (told.has('same')) return told.size > 1 ? 'key-only' : 'bound';
    if (told.has('other') || (kept !== undefined && !told.has('several'))) return 'contradicted';
    return places.length === 0 ? 'lost' : 'key-only';
  };
  return {
    match(fact, name = fact.key) {
      const found = find(fact, name);
      const isThere = found === 'bound' || found === 'contradicted';
      return !isThere && hasHandle(text, fact.messageId) ? 'recoverable' : found;
    },
  };
}

/** The text of all messages, where each ends, and its words; a summary in JSON as lines. */
function textOf(messages: readonly Message[]) {
  const ends: number[] = [];
  const said = messages.map(saidIn);
  let text = '';
  for (const each of said) {
    text += each.text;
    ends.push(text.length);
  }
  const words = (): string =>
    said
      .map((each) => each.words())
      .filter((each) => each !== '')
      .join(' ');
  return { text, ends, words };
}

/** A message that stays behind many compactions is read once. */
function saidIn(message: Message): Said {
  const found = known.get(message);
  if (found !== undefined) return found;
  const text = `${recordsOf([asLines(message)]).join('\n')}\n`;
  const said = { text, words: lazily(() => plainWords(text)) };
  known.set(message, said);
  return said;
}

interface Said {
  readonly text: string;
  readonly words: () => string;
}

const known = new WeakMap<Message, Said>();

function asLines(message: Message): Message {
  if (message.origin?.kind !== 'summary') return message;
  const content = message.content.map((block) =>
    isText(block) ? { ...block, text: flatJson(block.text) } : block,
  );
  return { ...message, content };
}

/** The value that a fact has after the given messages alone; undefined where they do not hold it. */
function statesIn(messages: readonly Message[]): (fact: Fact) => string | undefined {
  const extractor = createFactExtractor();
  for (const message of messages) extractor.add(message);
  const states = new Map<string, string>();
  for (const { type, key, value } of extractor.facts())
    states.set(`${type}\n${type.startsWith('file-') ? lastTwo(key) : key}`, value?.name ?? '');
  return ({ type, key, value }) => {
    const kept = states.get(`${type}\n${type.startsWith('file-') ? lastTwo(key) : key}`);
    return value === undefined && kept === '' ? undefined : kept;
  };
}

const lastTwo = (path: string): string => path.split('/').slice(-2).join('/');

/** What has to be there in its own words. */
const QUOTES: ReadonlySet<string> = new Set(['user-message', 'constraint']);
const CHECKS: ReadonlySet<string> = new Set(['outcome', 'test-status']);

const isFile = ({ type }: Fact): boolean => type.startsWith('file-');

/** What one statement says of a fact: its value, another one, both of a kind that has only one, or nothing. */
type Told = 'same' | 'other' | 'several' | 'nothing';

interface Telling extends Pick<Statement, 'isRecord' | 'time'> {
  readonly told: Told;
}

function tellingAt(
  statements: ReturnType<typeof createStatementFinder>,
  place: Span,
  { value, stale }: Fact,
  shown: string,
): Telling {
  const statement = statements.at(place.from, place.to - place.from);
  const { from, isRecord, time } = statement;
  const whole = shown.slice(from, from + statement.text.length);
  const own = { from: place.from - from, to: place.to - from };
  const told = toldOf({ ...statement, text: whole }, own, value as FactValue, stale);
  return { isRecord, time, told };
}

function toldOf(
  statement: Statement,
  own: Span,
  value: FactValue,
  stale: readonly FactValue[],
): Told {
  const { text } = statement;
  const rest = `${text.slice(0, own.from)} ${text.slice(own.to)}`;
  if (value.kind === 'answer') {
    const others = [...value.others, ...stale.map(({ name }) => name)].filter(
      (each) => each !== value.name && !value.name.includes(each),
    );
    if (isHedged(rest)) return 'nothing';
    const hasOther = others.some((each) => holds(rest, each));
    if (!holds(rest, value.name)) return hasOther ? 'other' : 'nothing';
    return hasOther ? 'several' : 'same';
  }
  if (value.kind === 'error') return errorTold({ rest, heading: statement.heading }, value, stale);
  const claims = claimsAbout(statement, { kind: value.kind, own });
  if (value.kind === 'counts') return countsTold(rest, claims, value);
  if (claims.size > 1) return 'several';
  const [only] = claims;
  if (only === undefined) return 'nothing';
  return only === value.name ? 'same' : 'other';
}

/** One of the lines of an error stands with its command, and that it is open, or that the command fails. */
function errorTold(
  { rest, heading }: { readonly rest: string; readonly heading: string },
  { lines }: Extract<FactValue, { kind: 'error' }>,
  stale: readonly FactValue[],
): Told {
  const line = lines.map((each) => each.slice(0, NAMING)).find((each) => holds(rest, each));
  if (line === undefined)
    return stale.some(({ name }) => holds(rest, name.slice(0, NAMING))) ? 'other' : 'nothing';
  const around = spaced(rest).replace(spaced(line), ' ');
  if (isHedged(around)) return 'nothing';
  const own = claimsIn('error', around);
  const claims = own.size > 0 ? own : claimsIn('error', heading);
  if (claims.size === 0) return 'nothing';
  if (claims.size > 1) return 'several';
  return claims.has('resolved') ? 'other' : 'same';
}

/** Each number with its own word, and a verdict that agrees with them. */
function countsTold(
  rest: string,
  claims: Claims,
  { passed, failed }: Extract<FactValue, { kind: 'counts' }>,
): Told {
  if (isHedged(rest)) return 'nothing';
  const told = countsIn(rest);
  const verdict = failed > 0 ? 'failed' : 'ok';
  if (told.passed.length + told.failed.length === 0) {
    return claims.size === 1 && !claims.has(verdict) ? 'other' : 'nothing';
  }
  if (told.passed.some((each) => each !== passed) || told.failed.some((each) => each !== failed))
    return 'other';
  if (claims.has(verdict === 'ok' ? 'failed' : 'ok')) return 'other';
  return (failed > 0 ? told.failed : told.passed).length > 0 ? 'same' : 'nothing';
}

/** What the newest statements say that say anything, lists before told words. */
function newest(tellings: readonly Telling[]): ReadonlySet<Told> {
  const saying = tellings.filter(({ told }) => told !== 'nothing');
  const listed = saying.filter(({ isRecord }) => isRecord);
  const counted = listed.length > 0 ? listed : saying;
  const time = Math.max(...counted.map((each) => each.time));
  return new Set(counted.filter((each) => each.time === time).map(({ told }) => told));
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
const holds = (text: string, wanted: string): boolean => {
  const at = spaced(text).indexOf(spaced(wanted));
  return at !== -1 && !/\w/.test(spaced(text)[at + spaced(wanted).length] ?? ' ');
};

/** All terms in one statement, and that it is not so where that was said; as sure as it was said. */
function saidTogether(
  { key, terms = [] }: Fact,
  text: string,
  statements: ReturnType<typeof createStatementFinder>,
): Match {
  const [first = '', ...others] = terms.filter((term) => term !== DENIAL);
  const isUnsure = isHedged(key);
  let found: Match = 'lost';
  for (const at of wordPlaces(text, first)) {
    const statement = statements.at(at, first.length);
    const own = text.slice(statement.from, statement.from + statement.text.length);
    const isWhole =
      others.every((term) => wordPlaces(own, term).length > 0) && (isUnsure || !isHedged(own));
    if (isWhole && (!terms.includes(DENIAL) || isDenial(own))) return 'bound';
    found = 'key-only';
  }
  return found;
}

function wordPlaces(text: string, word: string): readonly number[] {
  return indicesOf(text, word).filter(
    (at) => !/\w/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + word.length] ?? ' '),
  );
}

/** Where the key stands, as far as what stands around it belongs to its name. */
function placesOf(fact: Fact, name: string, shown: string): readonly Span[] {
  if (isFile(fact)) {
    return indicesOf(shown, name).flatMap((at) => {
      const span = pathAround(shown, at, name.length);
      if (!isPathOf(fact.key, shown.slice(span.from, span.to))) return [];
      const quoted = quotedAround(shown, at, name.length);
      // a command that names a file says nothing of how the file is
      const isCommand = quoted !== undefined && /\s/.test(shown.slice(quoted.from, quoted.to));
      return isCommand ? [] : [span];
    });
  }
  const start = name.slice(0, BEGINNING).trim();
  return indicesOf(shown, start).flatMap((at) => {
    const span = quotedAround(shown, at, start.length);
    const named = { shown, at, span, end: nameEnd(shown, at, name) };
    return isNameOf(fact, name, named)
      ? [span ?? { from: at, to: nameEnd(shown, at, fact.key) }]
      : [];
  });
}

/** Characters of a name that are looked for; as many as there are have to follow, or a sign that it was cut. */
const BEGINNING = 40;
/** Characters at the beginning of a long text that name it. */
const NAMING = 80;

/** In marks a command is a whole one, or the beginning of a long one. */
function isNameOf(
  { type, key }: Fact,
  name: string,
  { shown, at, span, end }: { shown: string; at: number; span: Span | undefined; end: number },
): boolean {
  const behind = shown[end] ?? ' ';
  const isCut = behind === '…' || shown.startsWith('...', end);
  if (end - at < Math.min(name.length, NAMING) && !isCut) return false;
  if (name.length < NAMING && /\w/.test(behind) && /\w$/.test(name)) return false;
  if (!CHECKS.has(type) && type !== 'command' && type !== 'failed-approach') return true;
  if (/[\w/.-]/.test(shown[at - 1] ?? ' ')) return false;
  if (span === undefined) return nameEnd(shown, at, key) > end || !/^ -/.test(shown.slice(end));
  const quoted = shown.slice(span.from, span.to).replace(/\s+/g, ' ').trim();
  if (CHECKS.has(type)) {
    const check = checkOf(quoted) ?? quoted;
    return (
      check === key ||
      check === name ||
      (name.length >= NAMING && check.startsWith(name.slice(0, NAMING)))
    );
  }
  return (
    quoted === key || key.startsWith(withoutDots(quoted)) || quoted.startsWith(key.slice(0, WHOLE))
  );
}

/** A key of this length was cut. */
const WHOLE = 120;
const withoutDots = (text: string): string =>
  /(?:…|\.\.\.)$/.test(text) ? text.replace(/(?:…|\.\.\.)$/, '') : `${text}\n`;

/** How far the key goes on behind its first characters. */
function nameEnd(shown: string, at: number, key: string): number {
  let end = at;
  while (end < shown.length && shown[end] === key[end - at]) end++;
  return end;
}

/** The stretch between marks of code in the line that a place lies in. */
function quotedAround(shown: string, at: number, length: number): Span | undefined {
  const line = shown.lastIndexOf('\n', at) + 1;
  const before = shown.slice(line, at + 1).split('`');
  if (before.length % 2 === 1) return undefined;
  const from = at + 1 - (before.at(-1) as string).length;
  const end = shown.indexOf('\n', at + length);
  const behind = shown.slice(at + length, end === -1 ? undefined : end).indexOf('`');
  return behind === -1 ? undefined : { from, to: at + length + behind };
}

function pathAround(shown: string, at: number, length: number): Span {
  let [from, to] = [at, at + length];
  while (from > 0 && at - from < LONGEST_PATH && PATH_SIGN.test(shown[from - 1] as string)) from--;
  while (to < shown.length && /[\w/-]/.test(shown[to] as string)) to++;
  return { from, to };
}

const PATH_SIGN = /[\w.@~+/-]/;
const LONGEST_PATH = 400;

/** The path is the file's, or an end of it, or it seen from further above. */
function isPathOf(key: string, path: string): boolean {
  const [one, other] = [rooted(key), rooted(path)];
  return one.endsWith(other) || other.endsWith(one);
}

/** Below whatever it is below. */
const rooted = (path: string): string =>
  `/${path.replace(/^(?:[A-Za-z]:)?\/|^(?:\.{1,2}\/)+/, '')}`;

function indicesOf(text: string, name: string): readonly number[] {
  const places: number[] = [];
  if (name === '') return places;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    places.push(at);
  return places;
}

/** Behind a bracket, a number sign or the word message: short ids are also line numbers and names. */
function hasHandle(text: string, id: string): boolean {
  for (const at of indicesOf(text, id)) {
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
