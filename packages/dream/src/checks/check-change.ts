import {
  dateProblem,
  isPathList,
  lostSpecifics,
  quoteProblem,
  statementKey,
  statementsOf,
} from '@varve/memdir/evidence';
import { parseText } from '@varve/memdir/files';
import type { Removal } from '../draft.ts';
import type { FoundQuote, Sources } from '../sources.ts';
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
  readonly removes: readonly Removal[];
  readonly claims: Claims;
  readonly sources: Sources;
}

export interface Taken {
  /** How many statements go. */
  readonly removed: number;
  /** Whether a rule shows of each that it is out of date; else a person decides. */
  readonly isProven: boolean;
  readonly by: readonly FoundQuote[];
}

/** Accounts for every statement of the files before: it is kept, or it goes and quotes of both sides show why. */
export async function checkTaken(input: TakenInput): Promise<Taken | Refusal> {
  const { before, kept, isArchived, removes, claims } = input;
  const whole = `${input.header}\n\n${kept}`;
  let removed = 0;
  let isProven = true;
  const by: FoundQuote[] = [];
  const usedRemovals = new Set<Removal>();
  for (const { path, text, modifiedMs } of before) {
    const { header, body } = parseText(text);
    const gone = new Set<number>();
    const statements = statementsOf(body);
    for (const statement of statements) {
      if (claims.isKept(statement.text, kept)) continue;
      const removal = removes.find(
        ({ quote }) => quoteProblem(quote, [statement.text]) === undefined,
      );
      if (removal === undefined) {
        // Why and how to apply go with the rule they belong to.
        if (statement.part !== 'rule' && gone.size > 0) {
          gone.add(statement.line);
          removed++;
          continue;
        }
        return refusal(
          'statement-lost',
          `What ${path} says would be lost: "${shorten(statement.text)}". Keep it with all its names, numbers and dates, or quote what puts it out of date.`,
        );
      }
      const proof = await proofOf(input, { removal, statement: statement.text, modifiedMs });
      if ('message' in proof) return proof;
      usedRemovals.add(removal);
      by.push(proof.by);
      isProven &&= proof.isProven;
      gone.add(statement.line);
      removed++;
    }
    if (isArchived) continue;
    const lines = body.split(/\r\n|\n|\r/).filter((_, line) => !gone.has(line));
    const lost = lostSpecifics(
      [header.name ?? '', header.description ?? '', ...lines],
      whole,
    ).filter((each) => gone.size === 0 || !isOnlyIn(each, header.description ?? '', lines));
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
  const unused = removes.find((each) => !usedRemovals.has(each));
  if (unused !== undefined) {
    return refusal(
      'quote-not-found',
      `"${shorten(unused.quote)}" is no statement that this change takes out.`,
    );
  }
  return { removed, isProven, by };
}

/** A description may name what goes. */
const isOnlyIn = (specific: string, description: string, lines: readonly string[]): boolean =>
  lostSpecifics([description], '').includes(specific) &&
  !lostSpecifics(lines, '').includes(specific);

const MOST_SHOWN_CHARS = 120;
const shorten = (text: string): string =>
  text.length <= MOST_SHOWN_CHARS ? text : `${text.slice(0, MOST_SHOWN_CHARS).toWellFormed()}…`;

interface Claim {
  readonly removal: Removal;
  readonly statement: string;
  readonly modifiedMs: number | undefined;
}

async function proofOf(
  { claims, sources, isArchived }: TakenInput,
  { removal, statement, modifiedMs }: Claim,
): Promise<{ readonly by: FoundQuote; readonly isProven: boolean } | Refusal> {
  const by = await sources.find(removal.by);
  if (by.kind !== 'found') {
    return refusal(
      by.kind,
      `What puts "${shorten(statement)}" out of date does not stand in ${removal.by.source} (${by.kind}).`,
    );
  }
  if (by.from === 'repository') {
    if (isArchived)
      return refusal(
        'stays',
        'That a path is gone from the repository is no reason to remove a memory.',
      );
    if (!statement.includes(removal.by.quote.replace(/^`|`$/g, '')))
      return refusal('quote-not-found', 'The statement does not name this path.');
    return { by, isProven: true };
  }
  if (by.atMs !== undefined && modifiedMs !== undefined && by.atMs < modifiedMs) {
    return refusal(
      'older',
      `What ${removal.by.source} says is older than "${shorten(statement)}": the newer one stays.`,
    );
  }
  if (sources.isTakenBack(by, (said) => claims.contradicts(said, by.statement)))
    return refusal('older', `The user said otherwise later than ${removal.by.source}.`);
  const isDated = by.atMs !== undefined && modifiedMs !== undefined;
  return { by, isProven: isDated && claims.contradicts(by.statement, statement) };
}

export interface MadeInput {
  readonly header: { readonly name: string; readonly description: string };
  readonly body: string;
  readonly before: TakenInput['before'];
  readonly evidence: readonly FoundQuote[];
  readonly nowMs: number;
  readonly claims: Claims;
}

/** Nothing is invented: what is new in a text stands in the files before it, or in what is quoted. */
export function checkMade(input: MadeInput): Refusal | undefined {
  const { header, body, before, evidence, nowMs, claims } = input;
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
  const rest = lostSpecifics(undated, pool.join('\n'));
  if (rest.length > 0) {
    return refusal(
      'not-in-sources',
      `No source names ${rest.slice(0, 8).map(shorten).join(', ')}.`,
    );
  }
  const isDescribed = old.some((text) => text.includes(header.description));
  const date = dateProblem([...fresh, ...(isDescribed ? [] : [header.description])].join('\n'), {
    todayMs: nowMs,
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
