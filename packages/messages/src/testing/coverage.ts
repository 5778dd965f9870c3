import { isMedia, isThinking, isToolResult, toolUses } from '../guards.ts';
import type { Block, Edit, Entry, Message } from '../types.ts';

/** How often a log holds what is easily got wrong. */
export interface LogCoverage {
  readonly entries: number;
  readonly rounds: number;
  /** Calls whose id an earlier round used. */
  readonly reusedCallIds: number;
  /** User messages that arrived while calls waited. */
  readonly steering: number;
  /** Messages that hold results and something else. */
  readonly mixedResults: number;
  readonly givenUpCalls: number;
  readonly spans: number;
  /** Spans that lie in another one or around it. */
  readonly nestedSpans: number;
  readonly replacedBlocks: number;
  readonly serverEdits: number;
  readonly undos: number;
  readonly undosOfSpans: number;
  readonly undosOfUndos: number;
  readonly headChanges: number;
  readonly thinking: number;
  readonly media: number;
  readonly systemMessages: number;
}

type Counts = { -readonly [name in keyof LogCoverage]: number };

/** Counts what a valid log holds. */
export function coverageOf(log: Iterable<Entry>): LogCoverage {
  const counts = Object.fromEntries(NAMES.map((name) => [name, 0])) as Counts;
  const messages = createMessageCounter(counts);
  const edits = createEditCounter(counts);
  for (const entry of log) {
    counts.entries++;
    if (entry.type === 'head') counts.headChanges++;
    if (entry.type === 'message') {
      messages.count(entry.message);
      edits.place([entry.message]);
    }
    if (entry.type === 'edit') edits.count(entry.id, entry.edit);
  }
  return counts;
}

/** One line for a report: the median number of entries, and how many logs hold each of the rest. */
export function describeCoverage(coverages: readonly LogCoverage[]): string {
  const sizes = coverages.map(({ entries }) => entries).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const shares = NAMES.filter((name) => name !== 'entries').map(
    (name) => `${name} ${coverages.filter((coverage) => coverage[name] > 0).length}`,
  );
  return `${coverages.length} logs, median ${median} entries; logs with ${shares.join(', ')}`;
}

const NAMES: readonly (keyof LogCoverage)[] = [
  'entries',
  'rounds',
  'reusedCallIds',
  'steering',
  'mixedResults',
  'givenUpCalls',
  'spans',
  'nestedSpans',
  'replacedBlocks',
  'serverEdits',
  'undos',
  'undosOfSpans',
  'undosOfUndos',
  'headChanges',
  'thinking',
  'media',
  'systemMessages',
];

function createMessageCounter(counts: Counts) {
  const usedIds = new Set<string>();
  const waiting = new Set<string>();
  function countBlock(block: Block): void {
    if (isThinking(block)) counts.thinking++;
    if (isMedia(block)) counts.media++;
    if (!isToolResult(block)) return;
    waiting.delete(block.tool_use_id);
    if (Array.isArray(block.content)) block.content.forEach(countBlock);
  }
  function count(message: Message): void {
    const results = message.content.filter(isToolResult).length;
    if (results > 0 && results < message.content.length) counts.mixedResults++;
    if (waiting.size > 0 && results === 0) counts.steering++;
    if (message.origin?.kind === 'synthetic') counts.givenUpCalls++;
    if (message.role === 'system') counts.systemMessages++;
    message.content.forEach(countBlock);
    const callIds = toolUses(message).map(({ id }) => id);
    if (callIds.length > 0) counts.rounds++;
    counts.reusedCallIds += callIds.filter((id) => usedIds.has(id)).length;
    for (const id of callIds) usedIds.add(id) && waiting.add(id);
  }
  return { count };
}

function createEditCounter(counts: Counts) {
  const placeOf = new Map<string, { from: number; to: number }>();
  const spans: { from: number; to: number }[] = [];
  const edits = new Map<string, Edit>();
  let places = 0;
  const place = (messages: readonly Message[]) => {
    for (const { id } of messages) placeOf.set(id, { from: places, to: places++ });
  };
  function countSpan(edit: Extract<Edit, { kind: 'replace-span' }>): void {
    const from = placeOf.get(edit.fromId)?.from ?? 0;
    const to = placeOf.get(edit.toId)?.to ?? 0;
    counts.spans++;
    if (spans.some((span) => span.from <= to && from <= span.to)) counts.nestedSpans++;
    spans.push({ from, to });
    for (const { id } of edit.with) placeOf.set(id, { from, to });
    place(edit.then);
  }
  function count(entryId: string, edit: Edit): void {
    const target = edit.kind === 'undo' ? edits.get(edit.entryId)?.kind : undefined;
    edits.set(entryId, edit);
    if (edit.kind === 'replace-content') counts.replacedBlocks += edit.blocks.length;
    if (edit.kind === 'server') counts.serverEdits++;
    if (edit.kind === 'undo') counts.undos++;
    if (target === 'replace-span') counts.undosOfSpans++;
    if (target === 'undo') counts.undosOfUndos++;
    if (edit.kind === 'replace-span') countSpan(edit);
  }
  return { place, count };
}
