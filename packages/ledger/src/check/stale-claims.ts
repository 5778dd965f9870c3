import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import { withoutNone } from '../trouble.ts';
import type { Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { isOwnLine, type Spoken } from './spoken.ts';

/** Adds the last recorded outcome to a claim that contradicts it: `all tests pass` after a run that failed, and the reverse. */
export function correctClaims(text: string, ledger: Ledger, spoken: Spoken): Repaired {
  const checks = ledger
    .facts()
    .filter(({ type }) => type === 'test-status')
    .toSorted((left, right) => left.position - right.position)
    .slice(-MOST_CHECKS);
  return checkLines(text, (line, section) => {
    const contradicted = section === 'said' ? undefined : contradiction(line, checks);
    if (contradicted === undefined || isOwnLine(line, spoken)) return { text: line, findings: [] };
    const noted = `${line} (${NOTE}: ${contradicted.key}: ${contradicted.value})`;
    return { text: noted, findings: [{ kind: 'stale-claim', detail: line.trim() }] };
  });
}

/** The newest checks that a line is compared with. */
const MOST_CHECKS = 200;
const NOTE = 'last recorded run';
const ALL_PASS =
  /\b(?:all (?:\d+ )?)?(?:the )?(?:unit |integration )?(?:tests?|test suite|suite|build|checks?|lint|type ?check)\b[^.\n]{0,30}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) green|clean)\b/i;
const ALL_FAIL =
  /\b(?:tests?|test suite|suite|build|checks?)\b[^.\n]{0,30}?\b(?:(?:still |is |are )?failing|fails?|is broken|(?:is|are) red)\b/i;
/** What is not claimed of now. */
const HEDGED =
  /\b(?:not|never|until|once|if|when|before|should|must|make|so that|ensure|was|were|previously|initially|fixed|resolved)\b|\d (?:tests? )?fail|n['’]t\b/i;

function contradiction(line: string, checks: readonly Fact[]): Fact | undefined {
  const claim = claimOf(line);
  if (claim === undefined || checks.length === 0) return undefined;
  const own = checks.filter(({ key }) => line.includes(key));
  // without a command the claim is about the run before it was made
  const latest = own.length > 0 ? own : checks.slice(-1);
  return latest.find(({ value }) => !value.startsWith(claim) && !line.includes(value));
}

/** The first sentence that claims something of now. */
function claimOf(line: string): 'pass' | 'fail' | undefined {
  for (const sentence of withoutNone(line).split(/(?<=[.!?])\s/)) {
    if (HEDGED.test(sentence)) continue;
    if (ALL_PASS.test(sentence)) return 'pass';
    if (ALL_FAIL.test(sentence)) return 'fail';
  }
  return undefined;
}
