import {
  corrects,
  dateProblem,
  isDenied,
  isPathList,
  lostSpecifics,
  quoteProblem,
  statementKey,
  statementsOf,
} from '@varve/memdir/evidence';
import { kindsOf, parseText, withoutSecrets } from '@varve/memdir/files';
import type { Removal } from '../draft.ts';
import type { FoundQuote, InstructionFile, Sources } from '../sources.ts';
import { type Claims, ISO_DATE } from './claims.ts';

/** A proposal that code does not take, and what the model may do about it. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
  readonly message: string;
}

export const refusal = (reason: string, message: string): Refusal => ({
  ...{ kind: 'refused', reason, message },
});

export interface TakenInput {
  readonly before: readonly {
    readonly path: string;
    readonly text: string;
    readonly modifiedMs: number | undefined;
  }[];
  /** Where statements have to stand that are not removed. */
  readonly kept: string;
  /** Name and description of what is written, which may hold what those of the files before did. */
  readonly header: string;
  /** Whether nothing is written in place of the files: other files have to say what they say. */
  readonly isArchived: boolean;
  /** Whether what stands was written about something else, it may be: a target that stays as it is, or other files. */
  readonly isElsewhere: boolean;
  readonly removes: readonly Removal[];
  /** Files that are not changed: what they say is not lost. */
  readonly others: readonly {
    readonly path: string;
    readonly body: string;
    readonly modifiedMs: number | undefined;
  }[];
  readonly instructions: readonly InstructionFile[];
  readonly claims: Claims;
  readonly sources: Sources;
}

export interface Taken {
  /** How many statements go with nothing in their place. */
  readonly removed: number;
  /** Files that such a statement was in. */
  readonly from: ReadonlySet<string>;
  /** Statements of which no rule shows that they may go: a person decides. */
  readonly unproven: readonly string[];
  readonly by: readonly FoundQuote[];
}

/** Accounts for every statement of the files before: it is kept, or it goes and quotes of both sides show why. */
export async function checkTaken(input: TakenInput): Promise<Taken | Refusal> {
  const { before, kept, isArchived, isElsewhere, removes, claims } = input;
  const whole = `${input.header}\n\n${kept}`;
  let removed = 0;
  const unproven: string[] = [];
  const by: FoundQuote[] = [];
  const from = new Set<string>();
  for (const { path, text, modifiedMs } of before) {
    const { header, body } = parseText(text);
    const gone = new Set<number>();
    const about = `${header.name ?? ''} ${header.description ?? ''}`;
    const statements = statementsOf(body);
    /** Why and how to apply go with the rule they belong to. */
    let isRuleLost = false;
    /** Out of date in the line of the statement that is looked at. */
    let sentence:
      | { readonly line: number; readonly text: string; readonly isTask: boolean }
      | undefined;
    for (const statement of statements) {
      if (statement.part === 'rule') isRuleLost = false;
      if (claims.isKept(statement.text, kept, isElsewhere ? about : undefined)) continue;
      const removal = removes.find(
        ({ quote }) =>
          quoteProblem(quote, [statement.text]) === undefined ||
          quoteProblem(statement.text, [quote]) === undefined,
      );
      if (removal === undefined) {
        if (statement.part !== 'rule' && gone.size > 0) {
          gone.add(statement.line);
          if (isRuleLost) removed++;
          continue;
        }
        if (!isArchived && claims.isShortened(statement.text, kept)) {
          removed++;
          from.add(path);
          gone.add(statement.line);
          continue;
        }
        return refusal(
          'statement-lost',
          `"${shorten(statement.text)}" of ${path} would be lost. Accepted: its own words, or fewer of them with every name, number and date, in its order and sense; or an entry of removes that quotes it and says why it goes (${REASONS}).`,
        );
      }
      const isSameSentence = sentence?.line === statement.line && sentence.text.endsWith(';');
      if (isSameSentence && sentence?.isTask) {
        gone.add(statement.line);
        continue;
      }
      const proof = await proofOf(input, {
        ...{ removal, statement: statement.text, modifiedMs, path },
        type: header.type,
      });
      if ('message' in proof) return proof;
      by.push(proof.by);
      // What else a sentence says of the name that is another one now goes with it.
      const isOfOne =
        isSameSentence &&
        sentence !== undefined &&
        claims.sharesName(sentence.text, statement.text);
      if (!proof.isProven && !isOfOne) unproven.push(statement.text);
      if (proof.isProven && !isSameSentence)
        sentence = { ...statement, isTask: claims.isKeptElsewhere(statement.text) };
      gone.add(statement.line);
      // What a mask left of a key is no loss.
      isRuleLost = !proof.isReplaced && !isOfOne && kindsOf(statement.text).length === 0;
      if (isRuleLost) {
        removed++;
        from.add(path);
      }
    }
    if (isArchived) continue;
    const lines = body.split(/\r\n|\n|\r/).filter((_, line) => !gone.has(line));
    const named = [header.name ?? '', header.description ?? ''].map((each) =>
      each.replace(DEFAULT_NAME, ' '),
    );
    const lost = lostSpecifics([...named, ...lines], whole).filter(
      (each) => gone.size === 0 || !isOnlyIn(each, header.description ?? '', lines),
    );
    if (lost.length > 0) {
      return refusal(
        'specifics-lost',
        `Names, numbers, dates or paths of ${path} would be lost: ${lost.slice(0, 8).map(shorten).join(', ')}.`,
      );
    }
    const stated = new Set(statements.map(({ line }) => line));
    const short = body
      .split(/\r\n|\n|\r/)
      .find((line, at) => !stated.has(at) && !gone.has(at) && !claims.holdsWords(line, whole));
    if (short !== undefined && !/^\s*(?:#|```|~~~)/.test(short)) {
      return refusal(
        'statement-lost',
        `A line of ${path} would be lost: "${shorten(short.trim())}".`,
      );
    }
  }
  return { removed, from, unproven, by };
}

/** A name that only counts files. */
const DEFAULT_NAME = /\b(?:note|memory|entry|item|untitled|notiz|eintrag) #?\d+\b/gi;

/** A description may name what goes. */
const isOnlyIn = (specific: string, description: string, lines: readonly string[]): boolean =>
  lostSpecifics([description], '').includes(specific) &&
  !lostSpecifics(lines, '').includes(specific);

const MOST_SHOWN_CHARS = 120;
/** Of a secret that is cut nothing tells any more that it is one. */
export function shorten(text: string): string {
  if (text.length <= MOST_SHOWN_CHARS) return text;
  const shown = withoutSecrets(text);
  return shown.length <= MOST_SHOWN_CHARS
    ? shown
    : `${shown.slice(0, MOST_SHOWN_CHARS).toWellFormed()}…`;
}

const REASONS = 'out-of-date, said-elsewhere, not-from-the-user, no-memory';

interface Claim {
  readonly path: string;
  readonly removal: Removal;
  readonly statement: string;
  readonly modifiedMs: number | undefined;
  readonly type: string | undefined;
}

interface Proof {
  readonly by: FoundQuote;
  readonly isProven: boolean;
  /** Whether something stands that says the same, or what is so now. */
  readonly isReplaced: boolean;
}

async function proofOf(input: TakenInput, claim: Claim): Promise<Proof | Refusal> {
  const { why, by } = claim.removal;
  const who = why === 'not-from-the-user' ? 'assistant' : 'user';
  const said = await input.sources.find(by, who);
  // A key is no memory, whoever typed it.
  const isKey = why === 'not-from-the-user' && kindsOf(claim.statement).length > 0;
  const quote = said.kind !== 'found' && isKey ? await input.sources.find(by, 'user') : said;
  if (quote.kind !== 'found') {
    return refusal(
      quote.kind,
      `The quote "${shorten(by.quote)}", for which "${shorten(claim.statement)}" is to go, does not stand in ${by.source || 'a source'} as said by the ${who} (${quote.kind}). Accepted: at most 200 characters word for word.`,
    );
  }
  if (why === 'said-elsewhere') return saidElsewhere(input, claim, quote);
  const task = noMemory(input, claim, quote);
  if (why === 'no-memory' || task.isProven) return task;
  if (why === 'not-from-the-user') return notFromTheUser(input, claim, quote);
  const proof = await outOfDate(input, claim, quote);
  if (!('message' in proof) && proof.isProven) return proof;
  // What the user put right was never theirs, whatever the reason that is given.
  return (await putRight(input, claim, quote)) ?? proof;
}

/** Out of date is what the user contradicted later, and did not say again since. */
async function outOfDate(
  { claims, sources, isArchived, kept, others, before: files }: TakenInput,
  { removal, statement, modifiedMs, path }: Claim,
  by: FoundQuote,
): Promise<Proof | Refusal> {
  const fileStatements = files
    .filter((each) => each.path === path)
    .flatMap(({ text }) => statementsOf(parseText(text).body).map((each) => each.text))
    .filter((each) => each !== statement);
  if (by.from === 'repository') {
    if (isArchived)
      return refusal(
        'stays',
        'That a path is gone from the repository is no reason to remove a memory. Accepted: a rewrite that keeps what else it says.',
      );
    if (!statement.includes(removal.by.quote.replace(/^`|`$/g, '')))
      return refusal('quote-not-found', `"${shorten(statement)}" does not name this path.`);
    return { by, isProven: true, isReplaced: false };
  }
  const said = await sources.all();
  const again = said.filter(
    (each) =>
      each.by === 'user' &&
      claims.touches(each.text, statement) &&
      (claims.isKept(statement, each.text) || claims.isAlike(statement, each.text)),
  );
  const last = again.findLast(({ atMs = 0 }) => by.atMs !== undefined && atMs > by.atMs);
  if (last !== undefined) {
    return refusal(
      'older',
      `"${shorten(statement)}" stays: the user said so later than ${removal.by.source}: "${shorten(last.text)}".`,
    );
  }
  const corrected = said.find(
    ({ by: who, text, atMs = 0 }) =>
      who === 'user' && by.atMs !== undefined && atMs > by.atMs && corrects(text, by.statement),
  );
  if (corrected !== undefined) {
    return refusal(
      'older',
      `What ${removal.by.source} says was put right later: quote "${shorten(corrected.text)}" instead.`,
    );
  }
  const isEqual = by.from === 'memory' && by.atMs === modifiedMs;
  if (by.atMs !== undefined && modifiedMs !== undefined && (by.atMs < modifiedMs || isEqual)) {
    // A file is written some time after what it says was said: who said it earlier than the quote shows the order.
    const { atMs } = by;
    const isSaidBefore =
      !isEqual &&
      (again.length > 0 ||
        // Beside what the quote says it is what the file said before that was written.
        (isSameDay(atMs, modifiedMs) &&
          fileStatements.some(
            (each) => claims.contradicts(each, statement) && claims.mayBeFrom(by.statement, each),
          )) ||
        said.some(
          (each) =>
            each.atMs !== undefined &&
            each.atMs < atMs &&
            isSameDay(each.atMs, modifiedMs) &&
            (claims.touches(each.text, statement) || claims.givesValues(each.text, statement)),
        ));
    if (!isSaidBefore) {
      return refusal(
        'older',
        `"${shorten(statement)}" was written after what ${removal.by.source} says, so it stays. Accepted: a quote from later than ${new Date(modifiedMs).toISOString().slice(0, 16)}.`,
      );
    }
  }
  const before = said.findLast(
    ({ atMs = 0 }, at) => atMs <= (by.atMs ?? 0) && said[at + 1]?.text === by.statement,
  );
  const isMeant =
    claims.isForgetThat(by.statement) &&
    before?.atMs !== undefined &&
    (by.atMs ?? 0) - before.atMs < HOUR_MS &&
    (claims.isKept(statement, before.text) || claims.isAlike(statement, before.text));
  const isWish =
    by.from === 'session' &&
    said.some(
      (each) =>
        each.by === 'user' &&
        each.atMs !== undefined &&
        each.atMs < (by.atMs ?? 0) &&
        isSameDay(each.atMs, modifiedMs ?? 0) &&
        ((claims.asksToForget(by.statement, each.text) && claims.mayBeFrom(each.text, statement)) ||
          (claims.namesToForget(by.statement, each.text) &&
            claims.givesValues(each.text, statement))),
    );
  const isDated = by.atMs !== undefined && modifiedMs !== undefined;
  const isStanding = others.some(({ path }) => path === removal.by.source);
  const newer = others.filter((each) => (each.modifiedMs ?? 0) >= (modifiedMs ?? 0));
  const news = [isArchived ? '' : kept, ...newer.map(({ body }) => body)].join('\n\n');
  const now = [kept, ...others.map(({ body }) => body)].join('\n\n');
  return {
    by,
    isProven:
      isDated &&
      (claims.contradicts(by.statement, statement) ||
        (by.from === 'session' && claims.isDone(by.statement, by.atMs ?? 0, statement)) ||
        isMeant ||
        isWish ||
        (by.from !== 'memory' &&
          claims.isForgotten(
            by.statement,
            statement,
            others.map(({ body }) => body).join('\n\n'),
          )) ||
        // What took its place says so in the words of the statement, and the quote has its value.
        (by.from !== 'memory' &&
          statementsOf(news).some((each) => claims.isBacked(by.statement, each.text, statement)))),
    isReplaced: isStanding || claims.replaces(now, statement, by.statement),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const isSameDay = (one: number, other: number): boolean =>
  Math.floor(one / DAY_MS) === Math.floor(other / DAY_MS);

/** What the user answered to who said it: that one said it earlier in the same hour, and no user ever did. */
async function putRight(
  input: TakenInput,
  { statement, modifiedMs }: Claim,
  by: FoundQuote,
): Promise<Proof | undefined> {
  const { claims, sources, kept, others } = input;
  const { atMs } = by;
  if (by.from !== 'session' || atMs === undefined) return undefined;
  // What was written on a later day may come from elsewhere.
  if (modifiedMs !== undefined && atMs < modifiedMs && !isSameDay(atMs, modifiedMs))
    return undefined;
  const said = await sources.all();
  const isOthers = said.some(
    (each) =>
      each.by !== 'user' &&
      each.atMs !== undefined &&
      each.atMs < atMs &&
      atMs - each.atMs < HOUR_MS &&
      claims.saysSame(each.text, statement),
  );
  const isOwn = said.some(({ by: who, text }) => who === 'user' && claims.mayBeOf(text, statement));
  if (!isOthers || isOwn || claims.confirms(by.statement)) return undefined;
  const now = [kept, ...others.map(({ body }) => body)].join('\n\n');
  return { by, isProven: true, isReplaced: claims.replaces(now, statement, by.statement) };
}

/** What trackers, lists of tasks and git keep is no memory, whoever said it. */
function noMemory({ claims }: TakenInput, { statement, type }: Claim, by: FoundQuote): Proof {
  const isRule = type === 'user' || type === 'feedback';
  return { by, isProven: !isRule && claims.isKeptElsewhere(statement), isReplaced: false };
}

/** What another memory says in other words is said once too often, and so is what instructions say anyhow. */
function saidElsewhere(
  { claims, others, kept, isArchived, instructions }: TakenInput,
  { removal, statement }: Claim,
  by: FoundQuote,
): Proof | Refusal {
  if (by.from === 'instructions') {
    const isSaid = instructions.some(
      ({ path, text }) => path === removal.by.source && claims.standsIn(statement, text),
    );
    return { by, isProven: isSaid, isReplaced: isSaid };
  }
  const stands = isArchived
    ? others.map(({ body }) => body).join('\n\n')
    : `${kept}\n\n${others.map(({ body }) => body).join('\n\n')}`;
  if (by.from !== 'memory' || !claims.isKept(by.statement, stands)) {
    return refusal(
      'not-standing',
      `"${shorten(by.statement)}" of ${removal.by.source} is in no memory after this change, so "${shorten(statement)}" stays. Accepted: the quote of a memory that stays.`,
    );
  }
  return { by, isProven: claims.isAlike(statement, by.statement), isReplaced: false };
}

/** What an assistant said and the user never did is no memory. */
async function notFromTheUser(
  { claims, sources, others }: TakenInput,
  { statement }: Claim,
  by: FoundQuote,
): Promise<Proof | Refusal> {
  const said = kindsOf(statement).length > 0 ? [] : await sources.all();
  const isWhole = claims.isKept(statement, by.statement);
  const own = said.find(
    (each) =>
      each.by === 'user' &&
      claims.mayBeOf(each.text, statement) &&
      // What a tool says word for word is not from a user who says the opposite.
      !(isWhole && isDenied(each.text) !== isDenied(statement)) &&
      // An order is from who orders something.
      !(isWhole && claims.isOrder(statement) && !claims.isOrder(each.text)),
  );
  if (own !== undefined) {
    return refusal(
      'from-the-user',
      `"${shorten(statement)}" stays: the user said "${shorten(own.text)}". Accepted: out-of-date, with what the user said since.`,
    );
  }
  const answers = said.flatMap(({ by: who, text }, at) =>
    who === 'user' || text !== by.statement
      ? []
      : (said.slice(at + 1).find((each) => each.by === 'user')?.text ?? []),
  );
  const isProven =
    claims.saysSame(by.statement, statement) && !answers.some((each) => claims.confirms(each));
  const isReplaced = others.some(({ body }) =>
    statementsOf(body).some(({ text }) => claims.contradicts(text, statement)),
  );
  return { by, isProven, isReplaced };
}

export interface MadeInput {
  readonly header: { readonly name: string; readonly description: string };
  readonly body: string;
  readonly before: TakenInput['before'];
  readonly evidence: readonly FoundQuote[];
  readonly claims: Claims;
}

/** Nothing is invented: what is new in a text stands in the files before it, or in what is quoted. */
export function checkMade(input: MadeInput): Refusal | undefined {
  const { header, body, before, evidence, claims } = input;
  const old = before.map(({ text }) => {
    const parsed = parseText(text);
    return `${parsed.header.name ?? ''}.\n${parsed.header.description ?? ''}.\n\n${parsed.body}`;
  });
  const quoted = evidence.map(({ statement }) => statement);
  const pool = [...old, ...quoted];
  const known = new Set(
    old.flatMap((text) => statementsOf(text)).map(({ text }) => statementKey(text)),
  );
  const fresh = statementsOf(body)
    .map(({ text }) => text)
    .filter((text) => !known.has(statementKey(text)));
  for (const statement of fresh) {
    if (!claims.isSupported(statement, old, quoted)) {
      return refusal(
        'not-in-sources',
        `Nothing that is quoted says this: "${shorten(statement)}". Quote its source, or keep the words of the files.`,
      );
    }
  }
  const undated = [header.name, header.description, body].map((text) =>
    text.replace(ISO_DATE, ' '),
  );
  const rest = lostSpecifics(undated, pool.join('\n')).filter(
    (each) => !pool.some((text) => claims.givesDay(text, each)),
  );
  if (rest.length > 0) {
    return refusal(
      'not-in-sources',
      `No source names ${rest.slice(0, 8).map(shorten).join(', ')}.`,
    );
  }
  const isDescribed = old.some((text) => text.includes(header.description));
  const date = dateProblem([...fresh, ...(isDescribed ? [] : [header.description])].join('\n'), {
    // Today is no source: nobody said it.
    sources: [
      ...before.map(({ text, modifiedMs }) => ({ text, atMs: modifiedMs })),
      ...evidence.map(({ statement, atMs }) => ({ text: statement, atMs })),
    ],
  });
  if (date !== undefined) {
    const why = date.kind === 'relative' ? 'needs the day it means' : 'stands in no source';
    return refusal('date', `"${shorten(date.text)}" ${why}.`);
  }
  if (isPathList(fresh.join('\n')))
    return refusal('path-list', 'Where files are is shown by the repository: leave the list out.');
  return undefined;
}
