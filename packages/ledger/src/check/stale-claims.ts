import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import type { Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { createSpoken, isOwnLine } from './spoken.ts';

/** Adds the last recorded outcome to a claim that contradicts it: `all tests pass` after a run that failed, and the reverse. */
export function correctClaims(text: string, ledger: Ledger): Repaired {
  const checks = ledger.facts().filter(({ type }) => type === 'test-status');
  const spoken = createSpoken(ledger);
  return checkLines(text, (line, inUserSection) => {
    const contradicted = inUserSection ? undefined : contradiction(line, checks);
    if (contradicted === undefined || isOwnLine(line, spoken)) return { text: line, findings: [] };
    const noted = `${line} (${NOTE}: ${contradicted.key}: ${contradicted.value})`;
    return { text: noted, findings: [{ kind: 'stale-claim', detail: line.trim() }] };
  });
}

const NOTE = 'last recorded run';
const ALL_PASS =
  /\b(?:all (?:\d+ )?)?(?:the )?(?:unit |integration )?(?:tests?|test suite|suite|build|checks?|lint|type ?check)\b[^.\n]{0,30}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) green|clean)\b/i;
const ALL_FAIL =
  /\b(?:tests?|test suite|suite|build|checks?)\b[^.\n]{0,30}?\b(?:(?:still |is |are )?failing|fails?|is broken|(?:is|are) red)\b/i;
/** What is not claimed of now. */
const HEDGED =
  /\b(?:not|never|until|once|if|when|before|should|must|make|so that|ensure|was|were|previously|initially|fixed|resolved)\b|\d+ (?:tests? )?fail|n['’]t\b/i;

function contradiction(line: string, checks: readonly Fact[]): Fact | undefined {
  if (HEDGED.test(line)) return undefined;
  const own = checks.filter(({ key }) => line.includes(key));
  const latest = own.length > 0 ? own : lastRun(checks);
  const claim = ALL_PASS.test(line) ? 'pass' : ALL_FAIL.test(line) ? 'fail' : undefined;
  if (claim === undefined || latest.length === 0) return undefined;
  if (latest.some(({ value }) => line.includes(value))) return undefined;
  return latest.find(({ value }) => !value.startsWith(claim));
}

/** Without a command the claim is about the run before it was made. */
function lastRun(checks: readonly Fact[]): Fact[] {
  const latest = checks.toSorted((left, right) => right.position - left.position)[0];
  return latest === undefined ? [] : [latest];
}
