import { byReason, readText } from '../report/read-text.ts';
import { type Column, formatMarkdownTable, formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import { CONSTANT_SHARE } from './score-reads.ts';
import { median, quantile } from './statistics.ts';
import type { ValidatedFormat, ValidatedSession, Validation } from './validation-schema.ts';

const percent = (value: number | null, digits = 1): string =>
  value === null || !Number.isFinite(value) ? '-' : (100 * value).toFixed(digits);

const points = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

const FORMATS: readonly Column<ValidatedFormat>[] = [
  { title: 'format', cell: ({ format }) => format, maxCharacters: 14 },
  { title: 'n', align: 'right', cell: ({ sessions }) => String(sessions) },
  { title: 'share', align: 'right', cell: (row) => points(row.shareErrorMedian) },
  { title: 'p90', align: 'right', cell: (row) => points(row.shareErrorP90) },
  { title: 'cost %', align: 'right', cell: (row) => percent(row.costErrorMedian) },
  { title: 'warm %', align: 'right', cell: (row) => percent(row.costErrorAlwaysWarm) },
  { title: 'const %', align: 'right', cell: (row) => percent(row.costErrorConstant) },
  { title: 'prec', align: 'right', cell: (row) => ratio(row.breakPrecision) },
  { title: 'rec', align: 'right', cell: (row) => ratio(row.breakRecall) },
  {
    title: 'out %',
    align: 'right',
    cell: (row) => percent(row.leftOneOut?.costErrorMedian ?? null),
  },
  { title: 'size %', align: 'right', cell: (row) => percent(row.contextSizeErrorMedian, 2) },
  { title: 'p95', align: 'right', cell: (row) => percent(row.contextSizeErrorP95, 2) },
  { title: 'blind', align: 'right', cell: (row) => percent(row.contextSizeErrorAfter50) },
  { title: 'text', align: 'right', cell: (row) => percent(row.contextSizeErrorTranscriptOnly, 0) },
];

const SESSIONS: readonly Column<ValidatedSession>[] = [
  { title: 'session', cell: ({ file }) => file.split('/').at(-1) ?? file, maxCharacters: 30 },
  { title: 'req', align: 'right', cell: ({ requests }) => String(requests) },
  { title: 'billed %', align: 'right', cell: (row) => percent(row.billedCachedShare) },
  { title: 'pred %', align: 'right', cell: (row) => percent(row.predictedCachedShare) },
  { title: 'cost %', align: 'right', cell: (row) => percent(row.costErrorShare) },
  {
    title: 'warm %',
    align: 'right',
    cell: (row) => percent(row.baselines.alwaysWarm.costErrorShare),
  },
  {
    title: 'const %',
    align: 'right',
    cell: (row) => percent(row.baselines.constant.costErrorShare),
  },
  { title: 'breaks', align: 'right', cell: (row) => `${row.foundBreaks}/${row.billedBreaks}` },
  { title: 'size %', align: 'right', cell: (row) => percent(row.contextSizeErrorMedian, 2) },
  { title: 'trust', cell: ({ confidence }) => confidence },
];

const LEGEND = wrap(
  `share: read over all prompt tokens, error in points, median and 90th percentile. cost: predicted over billed input price, less one; warm, const: the same for two guesses, "everything is read" and "${percent(CONSTANT_SHARE)} % is read". breaks: found of billed; prec: predicted ones that were billed; rec: billed ones that were predicted. out: the cost where the chances of a miss come from the other sessions alone. size: error of the next prompt's size with the last bill known, median and 95th percentile; blind: last bill 50 requests back; text: no bill at all. req: requests; the first of each session stands apart and is in none of these. trust: how far the file and the provider's published rules carry.`,
).join('\n');

/** What the tables say, in a sentence. */
export function validationVerdict({ sessions }: Pick<Validation, 'sessions'>): string {
  const errorsOf = (of: (session: ValidatedSession) => number | null) =>
    sessions.flatMap((session) => Math.abs(of(session) ?? Number.NaN)).filter(Number.isFinite);
  const errors = errorsOf(({ costErrorShare }) => costErrorShare);
  const guesses = errorsOf(({ baselines }) => baselines.alwaysWarm.costErrorShare);
  if (errors.length === 0)
    return 'No session carries bills to compare with: pass `--sessions` with the sessions of a coding agent.';
  const count = errors.length === 1 ? '1 session' : `${errors.length} sessions`;
  return `The simulator missed the billed price of the prompts of ${count} by ${percent(median(errors))} % in the median and by ${percent(quantile(errors, 0.9))} % or less in nine of ten; the guess "everything is read" by ${percent(median(guesses))} % in the median.`;
}

/** What the terminal shows. */
export function formatValidation(validation: Validation): string {
  const { sessions, formats } = validation;
  const parts = [
    wrap(validationVerdict(validation)).join('\n'),
    formatTable(sessions, SESSIONS).join('\n'),
    formatTable(formats, FORMATS).join('\n'),
    LEGEND,
    reasonLines(sessions).join('\n'),
    unexplainedLines(sessions).join('\n'),
    diagnosisLines(sessions)
      .flatMap((line) => wrap(line, { indent: '  ' }))
      .join('\n'),
    wrap(validation.assumptions.join(' ')).join('\n'),
    readLines(validation, SHOWN_NAMES).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The same as a page. */
export function markdownValidation(validation: Validation): string {
  const { sessions, formats, version, command } = validation;
  return `# The simulator against billed usage

Version ${version}, run as

\`\`\`
${wrap(['varve-evals', 'validate', ...command].join(' '), { indent: '  ' }).join('\n')}
\`\`\`

${wrap(validationVerdict(validation)).join('\n')}

${formatMarkdownTable(formats, FORMATS).join('\n')}

${LEGEND}

${formatMarkdownTable(sessions, SESSIONS).join('\n')}

## First requests

${formatMarkdownTable(sessions, FIRST).join('\n')}

## Breaks that nothing in the file explains

${sessions
  .flatMap(unexplainedOf)
  .map((line) => `- ${line}`)
  .join('\n')}

## Prices that are off by more than 5 %

${reasonsOf(sessions)
  .map((line) => `- ${line}`)
  .join('\n')}

## What the provider said of misses

${diagnosisLines(sessions)
  .map((line) => `- ${line}`)
  .join('\n')}

${wrap(validation.assumptions.join(' ')).join('\n')}

${readLines(validation).join('\n')}
`;
}

/** What was read, lost, left out and refused, as of every command; and what has no bills. */
function readLines(validation: Validation, names?: number): readonly string[] {
  const { unbilled } = validation;
  const bare =
    unbilled.length === 0
      ? []
      : [`Without bills: ${byReason(unbilled, names ?? Number.POSITIVE_INFINITY)}.`];
  return [...readText(validation, { names }), ...bare].flatMap((text) => wrap(text));
}

/** Of each list, in a terminal. */
const SHOWN_NAMES = 8;

const reasonsOf = (sessions: readonly ValidatedSession[]): readonly string[] =>
  sessions
    .filter(({ reason }) => reason !== '')
    .map((row) => `${row.file.split('/').at(-1)} ${percent(row.costErrorShare)} %: ${row.reason}`);

function reasonLines(sessions: readonly ValidatedSession[]): readonly string[] {
  const lines = reasonsOf(sessions).flatMap((line) => wrap(`  ${line}`, { indent: '    ' }));
  return lines.length === 0 ? [] : ['Prices that are off by more than 5 %, and why:', ...lines];
}

/** How often provider and simulator say the same, and where they do not. */
function diagnosisLines(sessions: readonly ValidatedSession[]): readonly string[] {
  const all = sessions.flatMap(({ file, diagnoses }) =>
    diagnoses.map((each) => ({ ...each, file: file.split('/').at(-1) ?? file })),
  );
  if (all.length === 0) return [];
  const given = all.filter(({ kind }) => kind !== 'unknown');
  const agreed = given.filter(({ kind }) => kind === 'agreed');
  const rules = agreed.filter(({ by }) => by === 'rules').length;
  const unknown = all.length - given.length;
  return [
    `The provider gave a reason for ${given.length} misses${unknown > 0 ? ` (and for ${unknown} that it could not tell)` : ''}: ours is the same for ${agreed.length}, ${rules} foretold by rules, ${agreed.length - rules} read from where the bill says that the prefix ended.`,
    ...given
      .filter(({ kind }) => kind !== 'agreed')
      .map(
        ({ file, request, word, ours }) =>
          `${file} request ${request}: the provider says ${word}, we ${ours.join(', ') || 'no miss'}`,
      ),
  ];
}

const FIRST: readonly Column<ValidatedSession>[] = [
  { title: 'session', cell: ({ file }) => file },
  { title: 'prompt', align: 'right', cell: (row) => String(row.firstRequest.promptTokens) },
  { title: 'read', align: 'right', cell: (row) => String(row.firstRequest.billedRead) },
  {
    title: 'after compaction: unanchored',
    align: 'right',
    cell: ({ afterCompaction: each }) => `${each.unanchored}/${each.requests}`,
  },
  { title: 'doubts', cell: ({ doubts }) => doubts.join(', ') },
];

const SHOWN_BREAKS = 12;

/** The largest ones; the report has them all. */
function unexplainedLines(sessions: readonly ValidatedSession[]): string[] {
  const all = sessions.reduce((sum, { unexplained }) => sum + unexplained.length, 0);
  if (all === 0) return [];
  const largest = sessions
    .flatMap((session) => session.unexplained.map((each) => ({ ...each, file: session.file })))
    .sort((left, right) => right.lostTokens - left.lostTokens)
    .slice(0, SHOWN_BREAKS)
    .map(
      ({ file, request, lostTokens, gapSeconds }) =>
        `  ${file.split('/').at(-1)} request ${request}: ${lostTokens} tokens, ${gapText(gapSeconds)}`,
    );
  return [`${all} billed breaks that nothing in the file explains; the largest:`, ...largest];
}

const gapText = (seconds: number | null): string =>
  seconds === null ? 'no usable clock' : `${seconds} s after the one before`;

function unexplainedOf({ file, unexplained }: ValidatedSession): string[] {
  return unexplained.map(
    ({ request, lostTokens, gapSeconds, signals }) =>
      `${file} request ${request}: ${lostTokens} tokens, ${gapText(gapSeconds)}${signals.length > 0 ? `, ${signals.join(', ')}` : ''}`,
  );
}
