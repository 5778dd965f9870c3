import { BUILT_IN_STRATEGIES, type Report, type ReportTotal } from '@varve/evals';

/** The strategy that is compared with all others. */
const OURS = 'layers';

const ratio = (value: number | null): string =>
  value === null ? '-' : value.toFixed(3).replace(/^0/, '');

const figures = (total: ReportTotal): string =>
  `rel ${ratio(total.relativeToKeepAll)}, HR ${ratio(total.hindsightRecall)}, LBa/$ ${ratio(total.perObjectShare)}`;

const cost = ({ relativeToKeepAll }: ReportTotal): number => relativeToKeepAll ?? Infinity;

const isPeer = ({ strategy }: ReportTotal): boolean =>
  !BUILT_IN_STRATEGIES.some(({ name }) => name === strategy);

/** The cheapest that keeps enough at hand, in no session invalid; bounds and what was sent are nothing to choose. */
function cheapest(
  totals: readonly ReportTotal[],
  { floor, reachFloor }: Report['verdict'],
): ReportTotal | undefined {
  return totals
    .filter(({ hindsightRecall }) => (hindsightRecall ?? 0) >= floor)
    .filter(({ hindsightReach }) => (hindsightReach ?? 0) >= reachFloor)
    .filter(({ comparable, sessions }) => comparable === sessions)
    .filter(({ basis, strategy }) => basis !== 'at-most' && strategy !== 'as-it-was')
    .sort((left, right) => cost(left) - cost(right))[0];
}

/** Our combination beside the cheapest peer and the cheapest of the rest, and the sessions where either is cheaper. */
export function verdict(report: Report): string {
  const ours = report.totals.find(({ strategy }) => strategy === OURS);
  if (ours === undefined) return '';
  const others = report.totals.filter((total) => total !== ours);
  const { floor, reachFloor } = report.verdict;
  const peer = cheapest(others.filter(isPeer), report.verdict);
  const own = cheapest(
    others.filter((total) => !isPeer(total)),
    report.verdict,
  );
  const floors = `HR ≥ ${ratio(floor)} and ${ratio(reachFloor)} with one call more`;
  const line = (what: string, total: ReportTotal | undefined): string =>
    total === undefined
      ? `- ${what}: none`
      : `- ${what}: ${total.strategy}, ${figures(total)}${cheaperSessions(report, total)}`;
  return [
    `- ${OURS}: ${figures(ours)}, invalid requests ${ours.invalidRequests}, breaks not announced ${ours.breaksUnannounced}`,
    line(`cheapest peer with ${floors}`, peer),
    line(`cheapest other of ours with ${floors}`, own),
    '',
  ].join('\n');
}

function cheaperSessions({ rows }: Report, { strategy }: ReportTotal): string {
  const costs = (name: string): Map<string, number | null> =>
    new Map(
      rows
        .filter((row) => row.strategy === name)
        .map((row) => [row.session, row.relativeToKeepAll]),
    );
  const theirs = costs(strategy);
  const found = [...costs(OURS)].filter(([session, own]) => {
    const other = theirs.get(session);
    return own !== null && typeof other === 'number' && other < own;
  });
  if (found.length === 0) return '; nowhere cheaper';
  const list = found.map(
    ([session, own]) => `${session} (${ratio(theirs.get(session) ?? null)} against ${ratio(own)})`,
  );
  return `; cheaper on ${found.length} of ${theirs.size}: ${list.join(', ')}`;
}
