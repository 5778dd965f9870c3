import { type Column, formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import type { DreamRow, MemoryReport, Spread, WriterRow } from './memory-report.ts';
import type { RecallRow, ShownRow } from './recall-table.ts';
import type { RotRow } from './rot.ts';
import type { Measured, TargetRow } from './targets.ts';

export interface MemoryTextOptions {
  /** How the program was called, as it is to be typed again. */
  readonly program: string;
  /** Every run and every folder. */
  readonly all: boolean;
}

/** The verdict, then tables for a terminal of 100 columns. */
export function formatMemory(report: MemoryReport, options: MemoryTextOptions): string {
  return [
    ...wrap(verdictOf(report, options.program)),
    '',
    ...writerTable(report, options.all),
    ...dreamTable(report, options.all),
    ...targetTable(report),
    ...useLines(report, options.program),
    ...recallTables(report),
    ...rotTable(report, options.all),
    ...(options.all ? runLines(report) : []),
    ...wrap('This does not show whether memory made the work go better: that needs live runs.'),
    '',
  ].join('\n');
}

const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`;
const maybe = (share: number | undefined, digits = 0): string =>
  share === undefined ? '-' : percent(share, digits);
const ratio = (value: number): string => value.toFixed(2).replace(/^0/, '');

function verdictOf(report: MemoryReport, program: string): string {
  const { shipped, runs, dreams, chains } = report;
  const wanted = runs.filter((run) => !run.isComplete);
  const words: string[] = [];
  if (chains.length === 0) words.push('No chain of sessions was measured.');
  else if (shipped === undefined) {
    words.push(
      `What the extraction keeps is not measured: no model's answers are recorded for a whole chain (${chains.length} chains).`,
    );
  } else {
    const { pollution, missed } = shipped;
    const floor = Math.max(
      ...report.fakeWriters.filter(({ writer }) => writer !== 'ideal').map(({ f1 }) => f1.median),
    );
    const leaks = shipped.secrets + shipped.injected;
    words.push(
      `${percent(pollution.median)} of what memory keeps should not be there, and ${percent(missed.median)} of what it should keep is missing (median of ${shipped.runs} runs). F1 is ${ratio(shipped.f1.median)}; the best control that understands nothing has ${ratio(floor)}.`,
      leaks === 0
        ? 'No secret and nothing that was put into a result.'
        : `${leaks} secrets or orders from results got in: there must be none.`,
    );
  }
  for (const { chain, take, answers, used, staleFrom } of report.recordings) {
    if (staleFrom === undefined) continue;
    const why = staleFrom.reason === 'stale-prompt' ? 'prompt' : 'input';
    words.push(
      `${chain}.${take} is stale from ${staleFrom.place} on, where the ${why} is another one: ${used} of its ${answers} answers are used. ${program} memory --requests <folder> --chain ${chain} --take ${take} goes on from there.`,
    );
  }
  if (wanted.length > 0)
    words.push(
      `${wanted.length} of ${runs.length} runs stop where an answer is missing: ${program} memory --requests <folder> writes the requests.`,
    );
  if (report.heldBackLeftOut > 0)
    words.push(
      `${report.heldBackLeftOut} chains are left out: --held-back measures on these alone.`,
    );
  const open = dreams.filter((run) => run.wanted.length > 0 && run.score === undefined).length;
  if (open > 0) words.push(`${open} of ${dreams.length} dreams stop where an answer is missing.`);
  const failed = dreams.filter((run) => run.wanted.length === 0 && run.score === undefined);
  if (failed.length > 0)
    words.push(
      `${failed.length} of ${dreams.length} dreams failed (${[...new Set(failed.map(({ reason }) => reason))].join(', ')}) and are in no figure.`,
    );
  return words.join(' ');
}

/** Of shares, in percent and without the sign: the median, and where runs lie apart the lowest and the highest. */
function spread({ median, low, high }: Spread): string {
  const [middle, from, to] = [median, low, high].map((share) => (share * 100).toFixed(0));
  return from === to ? `${middle}` : `${middle} (${from}-${to})`;
}
const maybeSpread = (value: Spread | undefined): string =>
  value === undefined ? '-' : spread(value);
const bare = (share: number): string => (share * 100).toFixed(0);

const right = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  ...{ title, cell, align: 'right' },
});

const WRITER_COLUMNS: readonly Column<WriterRow>[] = [
  { title: 'writer', cell: ({ writer }) => writer },
  right('n', ({ statements }) => String(Math.round(statements.median))),
  right('polluted', ({ pollution }) => spread(pollution)),
  right('missed', ({ missed }) => spread(missed)),
  right('F1', ({ f1 }) => ratio(f1.median)),
  right('false', ({ shares }) => bare(shares.false)),
  right('stale', ({ shares }) => bare(shares.stale)),
  right('twice', ({ shares }) => bare(shares.duplicate)),
  right('barred', ({ shares }) => bare(shares.forbidden)),
  right('noise', ({ shares }) => bare(shares.noise)),
  right('gates', ({ secrets, injected, relative }) => `${secrets}/${injected}/${relative}`),
];

/** The floor, what is worse than it, and what cannot be better; the others only with `--all`. */
const FIRST_CONTROLS: ReadonlySet<string> = new Set([
  ...['append everything', 'all user messages', 'cue words', 'ideal'],
  ...['do nothing', 'merge by likeness'],
]);

function writerTable(
  { shipped, fakeWriters, chains }: MemoryReport,
  all: boolean,
): readonly string[] {
  if (chains.length === 0) return [];
  const controls = fakeWriters.filter(({ writer }) => all || FIRST_CONTROLS.has(writer));
  const rows = [...(shipped === undefined ? [] : [shipped]), ...controls];
  return [...formatTable(rows, WRITER_COLUMNS), ''];
}

const DREAM_COLUMNS: readonly Column<DreamRow>[] = [
  { title: 'dream', cell: ({ dream }) => dream },
  right('true lost', ({ lostTrue }) => spread(lostTrue)),
  right('bad gone', ({ removedBad }) => maybeSpread(removedBad)),
  right('stale left', ({ keptStale }) => maybeSpread(keptStale)),
  right('twice left', ({ duplicatesLeft }) => maybeSpread(duplicatesLeft)),
  right('invented', ({ invented }) => String(invented)),
  right('net', ({ net }) => ratio(net.median)),
];

function dreamTable(
  { fakeDreams, shippedDreams, chains }: MemoryReport,
  all: boolean,
): readonly string[] {
  if (chains.length === 0) return [];
  const controls = fakeDreams.filter(({ dream }) => all || FIRST_CONTROLS.has(dream));
  const lines = shippedDreams.map(
    ({ dream, runs, pollutionBefore, pollutionAfter, staleAfter, missedAfter, again, notUndone }) =>
      `Dream ${dream}, ${runs} runs: pollution ${percent(pollutionBefore.median)} before and ${percent(pollutionAfter.median)} after, ${percent(staleAfter.median)} stale and ${percent(missedAfter.median)} missed after; a second dream changed ${again} bytes; ${notUndone} undos gave other bytes than before.`,
  );
  return [
    ...formatTable([...shippedDreams, ...controls], DREAM_COLUMNS),
    '',
    ...lines.flatMap((line) => [...wrap(line), '']),
    ...wrap(LEGEND),
    '',
  ];
}

const LEGEND =
  'Percent of statements, of what should be held (missed), or of what was there before the dream: the median (lowest-highest run). n: statements. twice: says only what others say. barred: code, paths, history, fixes, instructions, tasks. noise: none of what was planted. gates: secrets, orders from results, dates that move; none may be there. Rows below those that ship are controls. net: the true that is left times the bad that is gone.';

/** `1.00`, `12 %`, `3`, by what the figure is. */
const figure = (value: number, unit: TargetRow['unit']): string => {
  if (unit === 'count') return String(value);
  return unit === 'ratio' ? ratio(value) : percent(value, value < 0.1 && value > 0 ? 1 : 0);
};

const resultOf = ({ state, value }: Measured, unit: TargetRow['unit']): string =>
  value === undefined ? state : `${figure(value, unit)} ${state}`;

const runsOf = ({ runs }: Measured): string => (runs === 0 ? '' : String(runs));

const TARGET_COLUMNS: readonly Column<TargetRow>[] = [
  { title: 'target', cell: ({ name }) => name },
  right('to reach', ({ limit, unit, isLeast }) => {
    if (limit === 0) return '0';
    return `${isLeast ? '≥' : '≤'} ${figure(limit, unit).replace('1.0 %', '1 %').replace('5.0 %', '5 %')}`;
  }),
  right('recorded', ({ recorded, unit }) => resultOf(recorded, unit)),
  right('runs', ({ recorded }) => runsOf(recorded)),
  right('held back', ({ heldBack, unit }) => resultOf(heldBack, unit)),
  right('runs', ({ heldBack }) => runsOf(heldBack)),
  right('control', ({ control, unit }) =>
    control === undefined ? '-' : figure(control.value, unit),
  ),
];

function targetTable({ targets, chains }: MemoryReport): readonly string[] {
  if (chains.length === 0) return [];
  const named = [...new Set(targets.flatMap(({ control }) => control?.name ?? []))];
  return [
    ...formatTable(targets, TARGET_COLUMNS),
    '',
    ...wrap(
      `Shares: the median of the takes of a chain, then that of the chains; acted on: of all turns that were shown a wrong value. Counts: of all runs together. held back: chains that are kept aside, with --held-back. control: ${named.join(', ')}.`,
    ),
    '',
  ];
}

function useLines({ use, cost }: MemoryReport, program: string): readonly string[] {
  const lines: string[] = [];
  if (use !== undefined) {
    const wrong = use.shownStatements === 0 ? undefined : use.wrongShown / use.shownStatements;
    lines.push(
      `Use, ${use.turns} turns: ${maybe(use.recall)} of the files that a turn needs are shown, ${maybe(use.precision)} of the shown ones are needed; ${maybe(use.notHeld)} of what turns need was never kept; ${maybe(use.clean)} of the turns that need nothing are shown nothing.`,
      `Wrong statements shown: ${maybe(wrong, 1)} (${use.wrongShown} of ${use.shownStatements}). ${
        use.answeredWrong === 0
          ? 'Acted on: no answer is recorded to a turn that was shown a wrong value.'
          : `Acted on: ${use.actedOn} of ${use.answeredWrong} turns that were shown a wrong value, ${use.actedOnWithout} of the same without memory.`
      }`,
      `Age: ${maybe(use.withCaveat)} of what is two days old and more comes with the caveat; the age is wrong by ${(use.ageError ?? 0).toFixed(1)} days on the mean.`,
    );
  }
  if (cost !== undefined) {
    const price =
      cost.dollarsPerTrue === undefined
        ? 'The recorded model has no list price.'
        : `$${cost.dollarsPerTrue.toFixed(4)} for each true statement that is kept, at list prices without a cache.`;
    lines.push(
      `Cost: ${Math.round(cost.inputTokens)} tokens in and ${Math.round(cost.outputTokens)} out a session, by estimate; ${percent(cost.emptyRuns)} of ${cost.sessions} sessions wrote nothing. ${price}`,
      `Added to a session: ${cost.rulesTokens} tokens of rules and ${Math.round(cost.indexTokens)} of index, the same for all of it, and ${Math.round(use?.tokensPerTurn ?? 0)} a turn of what is recalled. Cache, compactions and breakers are those of the replay: ${program}.`,
    );
  }
  return lines.length === 0 ? [] : [...lines.flatMap((line) => wrap(line)), ''];
}

const RECALL_NAMES: Readonly<Record<RecallRow['id'], string>> = {
  line: 'A a line that was taken out',
  words: 'B four words of it',
  description: 'C description, in bodies alone',
  direct: 'D turns by hand, direct',
  oblique: 'D turns by hand, oblique',
};

/** What was measured with the best ranker by words that was tried; below it a change is a loss. */
const RECALL_TARGETS: Readonly<Partial<Record<RecallRow['id'], number>>> = {
  line: 0.83,
  words: 0.66,
};

const RECALL_COLUMNS: readonly Column<RecallRow>[] = [
  { title: 'recall, five files, no model', cell: ({ id }) => RECALL_NAMES[id] },
  right('queries', ({ queries }) => String(queries)),
  right('found', ({ recall }) => percent(recall, 1)),
  right('to reach', ({ id }) => maybe(RECALL_TARGETS[id])),
  right('1/rank', ({ reciprocalRank }) => ratio(reciprocalRank)),
  right('hub', ({ hub }) => percent(hub, 1)),
  right('by lot', ({ random }) => percent(random, 1)),
];

const SHOWN_TARGETS = { 'five files': '85 %', 'as it ships': '72 / 43 / 90 %' } as const;

const SHOWN_COLUMNS: readonly Column<ShownRow>[] = [
  { title: 'what a turn is shown', cell: ({ rule }) => rule },
  right('turns', ({ turns, none }) => `${turns} + ${none}`),
  right('found', ({ recall }) => percent(recall, 1)),
  right('fits', ({ precision }) => percent(precision, 1)),
  right('clean', ({ clean }) => percent(clean, 1)),
  right('to reach', ({ rule }) => SHOWN_TARGETS[rule]),
  right('files', ({ filesPerTurn }) => filesPerTurn.toFixed(2)),
  right('hub', ({ hub }) => percent(hub, 1)),
];

function recallTables({ recall }: MemoryReport): readonly string[] {
  if (recall === undefined) return [];
  return [
    ...(recall.rows.length === 0 ? [] : [...formatTable(recall.rows, RECALL_COLUMNS), '']),
    ...(recall.shown.length === 0 ? [] : [...formatTable(recall.shown, SHOWN_COLUMNS), '']),
    ...wrap(
      'hub: how often the busiest wrong file stands among those shown. fits: of what is shown. clean: turns that fit nothing and are shown nothing.',
    ),
    '',
  ];
}

const finding = (row: RotRow, ...kinds: readonly string[]): string =>
  String(kinds.reduce((total, kind) => total + (row.findings[kind] ?? 0), 0));

const ROT_COLUMNS: readonly Column<RotRow>[] = [
  { title: 'folder', cell: ({ name }) => name, maxCharacters: 22 },
  right('files', ({ files }) => String(files)),
  right('n', ({ statements }) => String(statements)),
  right('dangling', (row) => finding(row, 'dangling', 'outside')),
  right('orphans', (row) => finding(row, 'orphan')),
  right('header', (row) => finding(row, 'header')),
  right('long', (row) => finding(row, 'long-file', 'long-line', 'index-too-long')),
  right('equal', (row) => finding(row, 'equal-files', 'equal-names')),
  right('alike', ({ nearPairs }) => String(nearPairs)),
  right('relative', ({ relativeStatements }) => String(relativeStatements)),
  right('barred', ({ forbiddenWords }) => String(forbiddenWords)),
];

const MOST_FOLDERS = 6;

function rotTable({ rot }: MemoryReport, all: boolean): readonly string[] {
  if (rot.length === 0) return [];
  const largest = [...rot].sort((one, other) => other.files - one.files);
  const shown = all ? largest : largest.slice(0, MOST_FOLDERS);
  const rows = rot.length === 1 ? shown : [...shown, totalRot(rot)];
  const left = largest.length - shown.length;
  return [
    ...formatTable(rows, ROT_COLUMNS),
    '',
    ...(left > 0 ? [`${left} smaller folders: --all.`] : []),
    ...wrap(
      'barred: files whose name or description speaks of code, paths, history, fixes or tasks; by words alone, right about two times in three.',
    ),
    '',
  ];
}

function totalRot(rot: readonly RotRow[]): RotRow {
  const findings: Record<string, number> = {};
  for (const row of rot)
    for (const [kind, count] of Object.entries(row.findings))
      findings[kind] = (findings[kind] ?? 0) + count;
  const total = (of: (row: RotRow) => number) => rot.reduce((sum, row) => sum + of(row), 0);
  return {
    name: `all ${rot.length}`,
    files: total(({ files }) => files),
    bytes: total(({ bytes }) => bytes),
    statements: total(({ statements }) => statements),
    pointers: total(({ pointers }) => pointers),
    findings,
    relativeStatements: total(({ relativeStatements }) => relativeStatements),
    nearPairs: total(({ nearPairs }) => nearPairs),
    untyped: total(({ untyped }) => untyped),
    forbiddenWords: total(({ forbiddenWords }) => forbiddenWords),
    clauses: {},
  };
}

function runLines({ runs }: MemoryReport): readonly string[] {
  return runs.flatMap((run) => {
    const last = run.checkpoints.at(-1)?.score;
    const state = run.isComplete ? '' : `, stops after session ${run.checkpoints.length}`;
    const figures =
      last === undefined
        ? ''
        : `: pollution ${percent(last.pollution)}, missed ${percent(last.missed)}, ${last.statements} statements`;
    const missing =
      last === undefined || last.missedItems.length === 0
        ? []
        : [`  missed: ${last.missedItems.join(', ')}`];
    return [
      `${run.chain}.${run.take}${figures}${state} (${run.models.join(', ') || 'no model'})`,
      ...missing.flatMap((line) => wrap(line, { indent: '  ' })),
      '',
    ];
  });
}
