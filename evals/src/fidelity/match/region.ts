import type { FactValue } from '../facts/fact.ts';
import { type Claims, claimsIn, isHedged } from './claims.ts';
import type { Statement } from './statements.ts';

/** A stretch of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * What a statement says of the name that stands at `own`. A statement about several names says of each what stands between it
 * and the next, or what stands before it, where the statement begins with a state; names of a list share what follows it. What is
 * not sure says nothing.
 */
export function claimsAbout(
  { text, heading }: Pick<Statement, 'text' | 'heading'>,
  { kind, own }: { readonly kind: FactValue['kind']; readonly own: Span },
): Claims {
  const names = namesIn(text, kind, own);
  const region = regionOf(text, { kind, names, own });
  const said = claimsIn(kind, region);
  const around = `${text.slice(0, own.from)} ${text.slice(own.to)}`;
  if (isHedged(said.size > 0 ? region : around)) return new Set();
  return said.size > 0 ? said : claimsIn(kind, heading.replace(NAMES[kind] ?? NO_NAME, ' '));
}

function regionOf(
  text: string,
  { kind, names, own }: { kind: FactValue['kind']; names: readonly Span[]; own: Span },
): string {
  const isSame = (span: Span): boolean => bare(text, span) === bare(text, own);
  const gaps = [...names, { from: text.length, to: text.length }].map(({ from }, at) =>
    text.slice(names[at - 1]?.to ?? 0, from),
  );
  if (names.every(isSame)) return gaps.join(` ${HIDDEN} `);
  const at = names.findIndex(({ from, to }) => from <= own.from && own.from < to);
  const says = (gap: string | undefined): boolean =>
    gap !== undefined && claimsIn(kind, gap).size > 0;
  if (says(gaps[0])) return gaps.slice(0, at + 1).findLast(says) ?? '';
  return gaps.slice(at + 1).find(says) ?? '';
}

/** Stands where a name stood. */
const HIDDEN = '\u0001';

/** Names of the same kind of thing, the own one among them, in order and with the marks around them. */
function namesIn(text: string, kind: FactValue['kind'], own: Span): readonly Span[] {
  const all = [...text.matchAll(NAMES[kind] ?? NO_NAME)].map(({ index, 0: name }) => ({
    from: index,
    to: index + name.length,
  }));
  const whole = withMarks(text, own);
  const others = all.filter(({ from, to }) => to <= whole.from || from >= whole.to);
  return [...others.map((each) => withMarks(text, each)), whole].sort(
    (one, other) => one.from - other.from,
  );
}

const bare = (text: string, { from, to }: Span): string =>
  text.slice(from, to).replace(/^[`*"']+|[`*"']+$/g, '');

function withMarks(text: string, { from, to }: Span): Span {
  let [start, end] = [from, to];
  while (start > 0 && MARK.test(text[start - 1] as string)) start--;
  while (end < text.length && MARK.test(text[end] as string)) end++;
  return { from: start, to: end };
}

const MARK = /[`*"']/;
const NO_NAME = /(?!)/g;
const PATHS = /[\w@~.+-]*(?:\/[\w@~.+-]+)+|\b[\w-]+\.[A-Za-z]\w{0,5}\b/g;
const QUOTED = /`[^`\n]+`/g;

/** Of what else a statement of a kind can be about. */
const NAMES: Readonly<Partial<Record<FactValue['kind'], RegExp>>> = {
  file: PATHS,
  outcome: QUOTED,
  counts: QUOTED,
};
