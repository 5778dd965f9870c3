import { callerName, count, dollars, tokens } from '../ui/describe.ts';
import type { Command } from './command.ts';
import { type ContextReport, contextReport } from './context-report.ts';

export const contextCommand: Command = {
  name: 'context',
  hint: '[--json]',
  about: 'where every token and cent goes, and what the layers did',
  async run({ words, session, face }) {
    const report = contextReport({
      ...{ id: session.id, context: session.agent.context, storage: session.storage },
    });
    const text =
      words === '--json'
        ? JSON.stringify(report, null, 2)
        : contextText(report, process.stdout.columns);
    face.show(text, 'plain');
  },
};

/** At most 100 columns; where there are fewer than its table has, sums only. */
export function contextText(report: ContextReport, columns = 100): string {
  return [
    summary(report),
    partsTable(report, columns < TABLE_COLUMNS ? narrowRow : row),
    breaksOf(report),
    ...diagnosesOf(report),
    layersOf(report),
    nextCompaction(report),
  ].join('\n\n');
}

function summary({ model, next, billed }: ContextReport): string {
  const { windowTokens } = next;
  const used = `${tokens(next.tokens)} of ${tokens(windowTokens)} tokens (${percent(next.tokens, windowTokens)})`;
  const hit = `${Math.round(100 * billed.hitShare)} % read from the cache`;
  return `${model} · ${used} · ${dollars(billed.dollars)} billed, at list prices · ${count(billed.calls, 'call')}, ${hit}`;
}

const NAMES = {
  ...{ tools: 'tools', system: 'system prompt', words: 'your words', answers: 'answers' },
  ...{ thinking: 'thinking', calls: 'calls', results: 'results of tools' },
  ...{ summaries: 'summaries', reminders: 'reminders' },
};

function partsTable({ next, billed }: ContextReport, row: Row): string {
  const { split, callers } = billed;
  const paid = (name: string, amount: number) => row(name, ['', '', '', '', '', dollars(amount)]);
  const rows = split.parts.map(({ part, read, again, added }) => ({
    ...{ part, read, again, added, now: next.parts[part] },
    sum: read.dollars + again.dollars + added.dollars,
  }));
  const isShown = ({ now, sum }: (typeof rows)[number]) => now >= 0.5 || sum > 0;
  const lines = rows
    .filter(isShown)
    .map(({ part, now, read, again, added, sum }) =>
      row(NAMES[part], [
        ...[tokens(now), percent(now, next.tokens), dollars(read.dollars)],
        ...[dollars(again.dollars), dollars(added.dollars), dollars(sum)],
      ]),
    );
  const known = rows.reduce((total, { sum }) => total + sum, 0) + split.output.dollars;
  const replies = callers.find(({ by }) => by === 'reply')?.dollars ?? 0;
  const others = callers.filter(({ by }) => by !== 'reply');
  return [
    row('', ['next request', '', 'read', 'paid again', 'new', 'dollars']),
    ...lines,
    paid('output', split.output.dollars),
    ...others.map(({ by, dollars: amount }) => paid(callerName(by), amount)),
    ...(replies - known > 0.00005 ? [paid('not split', replies - known)] : []),
    row('together', [tokens(next.tokens), '', '', '', '', dollars(billed.dollars)]),
    ...(billed.unpricedTokens > 0
      ? [`  ${tokens(billed.unpricedTokens)} tokens have no known price`]
      : []),
  ].join('\n');
}

type Row = (name: string, cells: readonly string[]) => string;

const row: Row = (name, cells) =>
  `  ${name.padEnd(22)}${cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 12)).join('')}`.trimEnd();

/** Without what was read, paid again and new. */
const narrowRow: Row = (name, cells) => row(name, [...cells.slice(0, 2), cells.at(-1) ?? '']);

const WIDTHS = [14, 7, 12, 12, 12, 12];
const TABLE_COLUMNS = 24 + WIDTHS.reduce((sum, width) => sum + width, 0);

function breaksOf({ billed: { split } }: ContextReport): string {
  if (split.breaks.length === 0) return 'Cache: nothing that was cached was lost.';
  const lines = split.breaks.map(({ cause, isExpected, count: times, lostTokens, again }) => {
    const name = `${cause}${isExpected ? '' : ' (not expected)'}`;
    return `  ${name.padEnd(34)}${`${times}×`.padStart(5)}${tokens(lostTokens).padStart(9)} not read, ${tokens(again.tokens)} sent again for ${dollars(again.dollars)} more`;
  });
  return ['Cache lost, by cause', ...lines].join('\n');
}

/** What the provider itself said of its cache, beside what the bills show; nothing where it said nothing. */
function diagnosesOf({ diagnoses: { counts, newest } }: ContextReport): string[] {
  const kinds = Object.entries(counts);
  if (kinds.length === 0) return [];
  const lines = newest.map(({ kind, word, predicted }) => {
    const ours = predicted.length === 0 ? 'no loss' : predicted.join(', ');
    return `  ${kind}: the provider says ${word}, the bill ${ours}`;
  });
  return [
    [
      `Cache lost, in the provider's own words: ${kinds.map(([kind, times]) => `${kind} ${times}×`).join(', ')}`,
      ...lines,
    ].join('\n'),
  ];
}

function layersOf({ layers, stored }: ContextReport): string {
  const lines = layers.map(({ layer, edits, reasons, freedTokens, savedDollars }) => {
    const why = Object.entries(reasons)
      .map(([reason, times]) => (times === 1 ? reason : `${reason} ${times}×`))
      .join(', ');
    const freed = freedTokens === 0 ? '' : `, ${tokens(freedTokens)} tokens out`;
    const saved = savedDollars === 0 ? '' : `, at most ${dollars(savedDollars)} not read since`;
    return `  ${layer.padEnd(16)} ${count(edits, 'edit')} (${why})${freed}${saved}`;
  });
  const storage =
    stored.results === 0
      ? 'nothing'
      : `${count(stored.results, 'result')}, ${(stored.bytes / 1024).toFixed(0)} KB, can be read back whole`;
  return ['Layers', ...lines, `  ${'stored'.padEnd(16)} ${storage}`].join('\n');
}

function nextCompaction({ next, compaction }: ContextReport): string {
  const { leftTokens, leftRequests, messages, keptTokens } = compaction;
  const when =
    leftTokens === 0
      ? 'before the next request'
      : `at ${tokens(next.autocompactTokens)} tokens, ${tokens(leftTokens)} from here${leftRequests === undefined ? '' : `, in about ${count(leftRequests, 'request')}`}`;
  const what =
    messages === 0
      ? 'there is nothing to summarise yet'
      : `a summary would stand for ${count(messages, 'message')} (${tokens(compaction.tokens)} tokens)`;
  return `Next compaction: ${when}\n  ${what}; ${tokens(keptTokens)} of system prompt and tools stay`;
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
