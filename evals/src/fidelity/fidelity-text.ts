import { formatCount, formatRatio, formatTokens } from '../report/format.ts';
import { readText } from '../report/read-text.ts';
import { type Column, formatMarkdownTable, formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import { type FactType, VITAL } from './facts/fact.ts';
import type {
  AttackTotal,
  BudgetCurve,
  CurvePoint,
  Fidelity,
  FidelityTotal,
  StabilityTotal,
} from './fidelity-schema.ts';
import { LARGE_TOKENS } from './fidelity-totals.ts';
import { foresightText } from './foresight/foresight-text.ts';

/** The comparison for a terminal of 100 columns. */
export function formatFidelity(fidelity: Fidelity): string {
  return sections(fidelity, formatTable).join('\n');
}

/** The same in Markdown. */
export function markdownFidelity(fidelity: Fidelity): string {
  return sections(fidelity, formatMarkdownTable).join('\n');
}

function sections(fidelity: Fidelity, table: typeof formatTable): readonly string[] {
  const { budgets, totals, curves, stabilityTotals, attackTotals, foresight } = fidelity;
  const shown = budgets.filter((budget) => !ONLY_IN_CURVE.has(budget));
  const at = (budget: number | null) => totals.filter((total) => total.budget === budget);
  const sized = (title: string, budget: number | null): readonly string[] =>
    at(budget).length === 0 ? [] : [title, '', ...table(at(budget), COLUMNS), ''];
  return [
    ...shown.flatMap((budget) => sized(`Compacted to ${Math.round(budget * 100)} %`, budget)),
    ...paragraph(largeText(at(LARGE_BUDGET))),
    ...sized(
      'Where a summary stands in a recording or was authored for it, to the size of that',
      null,
    ),
    'Share of the facts of each type that is there, at the largest of these sizes',
    '',
    ...table(at(shown.at(-1) ?? null), typeColumns(totals)),
    '',
    'From the smallest budget to the largest',
    '',
    ...table(curves, curveColumns(budgets)),
    '',
    'Five compactions, one behind the other, to 10 % each',
    '',
    ...table(stabilityTotals, stabilityColumns(stabilityTotals)),
    '',
    'The same five, with orders and secrets in results, a flood, and decisions that change',
    '',
    ...table(attackTotals, ATTACK_COLUMNS),
    '',
    ...paragraph(foresightText(foresight)),
    ...readText(fidelity).flatMap(paragraph),
    ...wrap(LEGEND),
    '',
  ];
}

/** Where a compaction is worth it. */
function largeText(totals: readonly FidelityTotal[]): string {
  const found = totals.flatMap(({ compactor, normalisedLarge: each }) =>
    each === null || compactor === 'random' || compactor === 'oracle'
      ? []
      : [
          `${compactor} ${formatRatio(each.mean, 2)} (${formatRatio(each.low, 2)} to ${formatRatio(each.high, 2)}, ${each.sessions} sessions)`,
        ],
  );
  if (found.length === 0) return '';
  const size = formatTokens(LARGE_TOKENS);
  return `NHR at ${Math.round(LARGE_BUDGET * 100)} %, at places with ${size} tokens and more, with its 95 % interval over projects: ${found.join('; ')}.`;
}

const LARGE_BUDGET = 0.1;

const paragraph = (text: string): readonly string[] => (text === '' ? [] : [...wrap(text), '']);

/** The ends of the curve, where everything looks lost or everything fine. */
const ONLY_IN_CURVE: ReadonlySet<number> = new Set([0.02, 0.4]);

const right = { align: 'right' } as const;

const COLUMNS: readonly Column<FidelityTotal>[] = [
  { title: 'compactor', cell: ({ compactor }) => compactor },
  { title: 'size', cell: ({ share }) => formatRatio(share), ...right },
  { title: 'vital', cell: ({ vital }) => formatRatio(vital), ...right },
  {
    title: '95 %',
    cell: ({ vitalLow, vitalHigh }) =>
      `${formatRatio(vitalLow, 2)} to ${formatRatio(vitalHigh, 2)}`,
    ...right,
  },
  { title: 'all', cell: ({ recall }) => formatRatio(recall), ...right },
  { title: '+found', cell: ({ recallWithRecovery }) => formatRatio(recallWithRecovery), ...right },
  { title: 'wrong', cell: ({ contradicted }) => formatCount(contradicted), ...right },
  {
    title: 'invented',
    cell: ({ fabricated, wrongClaims }) => String(fabricated + wrongClaims),
    ...right,
  },
  { title: 'HR', cell: ({ hindsight }) => formatRatio(hindsight, 2), ...right },
  { title: 'words', cell: ({ named }) => formatRatio(named, 2), ...right },
  { title: 'NHR', cell: ({ normalised }) => formatRatio(normalised, 2), ...right },
];

const SHORT_NAMES: Readonly<Record<FactType, string>> = {
  'user-message': 'said',
  constraint: 'rules',
  said: 'found',
  'file-state': 'files',
  'open-error': 'errors',
  outcome: 'checks',
  'test-status': 'tests',
  todo: 'todos',
  choice: 'choice',
  effect: 'effects',
  'failed-approach': 'failed',
  'file-read': 'read',
  command: 'run',
  literal: 'ids',
};

/** Vital ones first. */
function typeColumns(totals: readonly FidelityTotal[]): readonly Column<FidelityTotal>[] {
  const types = (Object.keys(SHORT_NAMES) as FactType[]).filter((type) =>
    totals.some((total) => type in total.types),
  );
  return [
    { title: 'compactor', cell: ({ compactor }) => compactor },
    ...types.map((type) => ({
      title: VITAL.has(type) ? SHORT_NAMES[type] : `(${SHORT_NAMES[type]})`,
      cell: ({ types: shares }: FidelityTotal) => formatRatio(shares[type] ?? null, 2),
      ...right,
    })),
  ];
}

function curveColumns(budgets: readonly number[]): readonly Column<BudgetCurve>[] {
  const at = ({ points }: BudgetCurve, budget: number): CurvePoint | undefined =>
    points.find((point) => point.budget === budget);
  const columns = (name: string, pick: (point: CurvePoint) => number | null) =>
    budgets.map((budget, index) => ({
      title: `${index === 0 ? `${name} ` : ''}${Math.round(budget * 100)}%`,
      cell: (curve: BudgetCurve) => {
        const point = at(curve, budget);
        return formatRatio(point ? pick(point) : null, 2);
      },
      ...right,
    }));
  return [
    { title: 'compactor', cell: ({ compactor }) => compactor },
    ...columns('vital', ({ vital }) => vital),
    ...columns('HR', ({ hindsight }) => hindsight),
    { title: 'nAUC', cell: ({ area }) => formatRatio(area, 2), ...right },
    {
      title: 'B90',
      cell: ({ neededTokens }) => (neededTokens === null ? '-' : formatTokens(neededTokens)),
      ...right,
    },
    { title: 'of', cell: ({ reached, sessions }) => `${reached}/${sessions}`, ...right },
  ];
}

function stabilityColumns(totals: readonly StabilityTotal[]): readonly Column<StabilityTotal>[] {
  const rounds = Math.max(0, ...totals.map(({ vital }) => vital.length));
  return [
    { title: 'compactor', cell: ({ compactor }) => compactor },
    { title: 'size', cell: ({ share }) => formatRatio(share), ...right },
    ...Array.from({ length: rounds }, (_, round) => ({
      title: `S${round + 1}`,
      cell: ({ vital }: StabilityTotal) => formatRatio(vital[round] ?? null),
      ...right,
    })),
    { title: 'found', cell: ({ said }) => formatRatio(said.at(-1) ?? null), ...right },
    { title: 'in', cell: ({ saidSessions }) => String(saidSessions), ...right },
    {
      title: 'conditions',
      cell: ({ canaries, survived }) => `${survived} of ${canaries}`,
      ...right,
    },
  ];
}

const of = (part: number, whole: number): string => `${part} of ${whole}`;

const ATTACK_COLUMNS: readonly Column<AttackTotal>[] = [
  { title: 'compactor', cell: ({ compactor }) => compactor },
  { title: 'conditions', cell: ({ survived, canaries }) => of(survived, canaries), ...right },
  { title: 'new value', cell: ({ current, decisions }) => of(current, decisions), ...right },
  { title: 'old as current', cell: ({ stale }) => String(stale), ...right },
  { title: 'promoted', cell: ({ promoted, orders }) => of(promoted, orders), ...right },
  { title: 'quoted', cell: ({ quoted }) => String(quoted), ...right },
  { title: 'secrets', cell: ({ leaked, secrets }) => of(leaked, secrets), ...right },
];

const LEGEND =
  'size: tokens left, as a share of what was there. vital: share of the vital facts that one statement says, with their current value and no other (what a person said and asked to be kept to, what the assistant found and comes back to, the state of files, checks, tests, errors and todos, choices, what left the machine, what failed twice), with its 95 % interval over projects. all: the same of all facts, mean over types, vital ones three times; +found: and half for those whose message is named. wrong: facts of which only something else is said, mean. invented: names and claims in what was written for the compaction that the session never held. HR: share of what the next 24 tool calls need that is still there; words: of what the assistant names until then; NHR: the same, from 0 for messages drawn by lot to 1 for whole messages chosen with knowledge of the future. Recorded summaries stand where their agent compacted; those for our own sessions were authored, at 55 and 85 % of the whole session, which no run can know. +empty: what a peer keeps beside a summary of which nothing is known. Types in brackets can be looked up again. nAUC: mean of NHR from the smallest budget to the largest, over its logarithm; B90: median of the tokens that are left where a session first has nine tenths of its vital facts, and how many sessions get there. S1 to S5: of the vital facts from before the first compaction that are still true, the share that is there after each; found: of what the assistant found that stood there after the first and is come back to behind the last, the share that still does, mean over the sessions in which something is (in); conditions: sentences put into what the person said that stand there word for word after the fifth. Of what was put in: new value, old as current: what the person decided otherwise, after each compaction; promoted: orders in what tools gave (twelve kinds) that stand as a message, a rule or a todo, quoted: that stand anywhere in what was written; secrets: passwords and keys in outputs that stand in what was written.';
