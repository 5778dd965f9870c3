import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import { withoutNone } from '../trouble.ts';
import { type CheckKind, isWhole, kindsOf } from './check-kinds.ts';
import type { Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { isOwnLine, type Spoken } from './spoken.ts';

/**
 * Adds the last recorded outcome to a claim that contradicts it: `all tests pass` after a run that failed, and the reverse. A
 * claim is compared with the newest run of each check of the kind that it names.
 */
export function correctClaims(text: string, ledger: Ledger, spoken: Spoken): Repaired {
  const checks = ledger
    .facts()
    .filter(({ type }) => type === 'test-status')
    .slice(-MOST_CHECKS);
  const standing = checks.filter((check) => !isCovered(check, checks));
  return checkLines(text, (line, section) => {
    const contradicted = section === 'said' ? undefined : contradiction(line, checks, standing);
    if (contradicted === undefined || isOwnLine(line, spoken)) return { text: line, findings: [] };
    const noted = `${line} (${NOTE}: ${contradicted.key}: ${contradicted.value})`;
    return { text: noted, findings: [{ kind: 'stale-claim', detail: line.trim() }] };
  });
}

/**
 * Tells sentences that claim how checks end and are told otherwise by their last runs: any that says that they pass while one
 * fails, and one that a later run contradicts.
 */
export function createIsOutdated(facts: readonly Fact[]): (sentence: string) => boolean {
  const checks = facts.filter(({ type }) => type === 'test-status').slice(-MOST_CHECKS);
  const standing = checks.filter((check) => !isCovered(check, checks));
  const someFail = checks.some(({ value }) => value.startsWith('fail'));
  return (sentence) => {
    if (checks.length === 0 || !MAY_CLAIM.test(sentence)) return false;
    if (someFail && sentence.match(ALL_PASS) !== null) return true;
    return contradiction(sentence, checks, standing) !== undefined;
  };
}

const MAY_CLAIM = /\b(?:pass|succe|green|clean|fail|broken|red)/i;

/** The newest checks that a line is compared with. */
const MOST_CHECKS = 200;
const NOTE = 'last recorded run';
const WHAT =
  '(?:everything|(?:unit |integration |e2e |end-to-end |smoke |type[ -]?)?(?:tests?|specs?|test suite|suite|build|compilation|types|typecheck|checks?|lint(?:er|ing)?))';
/** Up to the verb nothing else may be said to pass or fail: `the tests fail but the build passes` are two claims. */
const UP_TO_VERB = String.raw`\b(?:(?!\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|fail(?:s|ed|ing)?|green|clean|broken|red)\b)[^.\n]){0,60}?\b`;
const ALL_PASS = new RegExp(
  String.raw`\b${WHAT}${UP_TO_VERB}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) green|clean)\b`,
  'gi',
);
const ALL_FAIL = new RegExp(
  String.raw`\b${WHAT}${UP_TO_VERB}(?:(?:still |is |are )?failing|fails?|(?:is|are) broken|(?:is|are) red)\b`,
  'gi',
);
/** What is not claimed of now. */
const HEDGED =
  /\b(?:not|never|until|once|if|when|before|should|must|make|so that|ensure|was|were|previously|initially|fixed|resolved)\b|\d (?:tests? )?fail|n['’]t\b/i;

/** A line that names checks is compared with those, another with all that no later run covers. */
function contradiction(
  line: string,
  checks: readonly Fact[],
  standing: readonly Fact[],
): Fact | undefined {
  const own = checks.filter(({ key }) => line.includes(key));
  for (const { passes, about, sort } of claimsOf(line)) {
    const compared =
      own.length > 0
        ? own
        : ofSort(
            standing.filter(({ key }) => isAbout(key, about)),
            sort,
          );
    const failing = compared.filter(({ value }) => value.startsWith('fail'));
    const against = passes ? failing : failing.length > 0 ? [] : compared;
    const found = against.findLast(({ value }) => !isTold(line, value));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An outcome with its counts; the bare word says nothing of which check. */
const isTold = (line: string, value: string): boolean =>
  value.includes(',') && line.includes(value);

/** A later run ran this one too: all kinds of checks in it, with fewer arguments or of all that there is. */
function isCovered(check: Fact, checks: readonly Fact[]): boolean {
  const words = new Set(check.key.split(/\s+/));
  const kinds = kindsOf(check.key);
  return checks.some(
    ({ key, position }) =>
      position > check.position &&
      kinds.every((kind) => kindsOf(key).includes(kind)) &&
      (key.split(/\s+/).every((word) => words.has(word)) || (isWhole(key) && kinds.length > 0)),
  );
}

interface Claim {
  readonly passes: boolean;
  readonly about: ReadonlySet<CheckKind> | 'all';
  /** Which tests: `unit`. */
  readonly sort: string | undefined;
}

const SORT = /\b(?:unit|integration|e2e|end-to-end|smoke)\b/i;

/** Of tests of one sort only those, where some are named so; else none that are of another. */
function ofSort(checks: readonly Fact[], sort: string | undefined): readonly Fact[] {
  if (sort === undefined) return checks;
  const word = sort === 'end-to-end' ? 'e2e' : sort;
  const named = checks.filter(({ key }) => key.toLowerCase().includes(word));
  return named.length > 0 ? named : checks.filter(({ key }) => !SORT.test(key));
}

/** What the first sentence claims that claims something of now. */
function claimsOf(line: string): Claim[] {
  for (const sentence of withoutNone(line).split(/(?<=[.!?])\s/)) {
    if (HEDGED.test(sentence)) continue;
    const claims = (passes: boolean, shape: RegExp): Claim[] =>
      [...sentence.matchAll(shape)].map(([words]) => ({
        passes,
        about: namedIn(words),
        sort: SORT.exec(words)?.[0].toLowerCase(),
      }));
    const found = [...claims(true, ALL_PASS), ...claims(false, ALL_FAIL)];
    if (found.length > 0) return found;
  }
  return [];
}

function namedIn(words: string): Claim['about'] {
  const kinds = new Set<CheckKind>();
  if (/\b(?:types|type[ -]?checks?)\b/i.test(words)) kinds.add('types');
  if (/\blint/i.test(words)) kinds.add('lint');
  if (/\b(?:build|compilation)\b/i.test(words)) kinds.add('build');
  if (/\b(?:tests?|specs?|suite)\b/i.test(words)) kinds.add('tests');
  return /\beverything\b|(?<!type[ -]?)\bchecks?\b/i.test(words) ? 'all' : kinds;
}

const isAbout = (command: string, about: Claim['about']): boolean =>
  about === 'all' || kindsOf(command).some((kind) => about.has(kind));
