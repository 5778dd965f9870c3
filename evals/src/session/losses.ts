import { isToolResult, type Message } from '@varve/messages';
import type { ImportedSession } from '@varve/transcript/import';

/** What of a session could not be read as it was, in counts. */
export interface Losses {
  /** Results in the conversation, and those of them that the import had to invent because the file has none. */
  readonly results: number;
  readonly inventedResults: number;
  /** Blocks and items of content, and those of them that are of no known kind. */
  readonly blocks: number;
  readonly unknownBlocks: number;
  /** Bills, and those of them that belong to no reply or could not be read whole. */
  readonly bills: number;
  readonly unusedBills: number;
  /** Records, and those of them that were damaged and dropped. */
  readonly records: number;
  readonly droppedRecords: number;
  /** Threads, and those of them that begin with a reply: what stood before it is not in the file. */
  readonly threads: number;
  readonly missingStarts: number;
}

/** Counts what an import says that it left out or made up. */
export function lossesOf({ threads, unused, problems }: ImportedSession): Losses {
  const messages = threads
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const blocks = messages.flatMap(({ content }) => content);
  const left = countUnused(unused, UNKNOWN_BLOCK);
  const strange = blocks.filter(({ type }) => !KNOWN_BLOCKS.has(type)).length;
  const bills = messages.filter(({ response }) => response?.usage !== undefined).length;
  const leftBills =
    countUnused(unused, UNUSED_BILL) + problems.filter(({ kind }) => kind === 'bad-bill').length;
  const dropped = problems.filter(({ kind }) => DROPPED.has(kind)).length;
  return {
    results: resultsIn(messages),
    inventedResults: resultsIn(messages.filter(({ origin }) => origin?.kind === 'synthetic')),
    blocks: blocks.length + left,
    unknownBlocks: strange + left,
    bills: bills + leftBills,
    unusedBills: leftBills + countUnused(unused, PART_OF_BILL),
    records: messages.length + dropped,
    droppedRecords: dropped,
    threads: threads.length,
    missingStarts: problems.filter(({ kind }) => kind === 'missing-start').length,
  };
}

const resultsIn = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + content.filter(isToolResult).length, 0);

function countUnused(unused: ImportedSession['unused'], kind: RegExp): number {
  return Object.entries(unused).reduce((sum, [key, n]) => sum + (kind.test(key) ? n : 0), 0);
}

const KNOWN_BLOCKS: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'compaction',
]);

/** Kinds of content that an import leaves out whole; a field of one (`part/text.id`) is none, nor is what agents note for themselves. */
const UNKNOWN_BLOCK =
  /^(?:malformed-(?:block|media)|(?:user|assistant|system)-message\/[\w-]+-block|part\/(?!patch$|snapshot$|step-|compaction$|agent$|retry$)[\w-]+|(?:response_item|replacement_history)\/(?!ghost_snapshot$|other$)[\w-]+|message\/(?:unknown|not-an-object)|[\w-]+\/not-an-object)$/;

const UNUSED_BILL =
  /(?:^event_msg\/token_count-without-reply$|^session\.shutdown(?:\.modelMetrics)?$|[./](?:usage|tokens|tokenUsage|usageMetadata)$)/;

/** A count of a bill that was read without it. */
const PART_OF_BILL = /^bill\./;

const DROPPED: ReadonlySet<string> = new Set([
  'torn-record',
  'bad-json',
  'not-a-record',
  'line-too-long',
  'bad-record',
  'unreadable-file',
]);

/** One kind of loss: what was lost of how many, and what it is called. */
interface Lost {
  readonly lost: number;
  readonly of: number;
  readonly text: string;
}

function kindsOf(losses: Losses): readonly Lost[] {
  const { results, inventedResults, blocks, unknownBlocks } = losses;
  const { bills, unusedBills, records, droppedRecords, threads, missingStarts } = losses;
  return [
    { lost: inventedResults, of: results, text: 'results of calls not in the file' },
    { lost: unknownBlocks, of: blocks, text: 'blocks of no known kind' },
    { lost: unusedBills, of: bills, text: 'bills of no reply or not read whole' },
    { lost: droppedRecords, of: records, text: 'damaged records' },
    { lost: missingStarts, of: threads, text: 'beginnings not in the file' },
  ].filter(({ lost }) => lost > 0);
}

/** `3 of 12 results not in the file, 1 of 40 damaged records`; empty where nothing was lost. */
export const lossText = (losses: Losses): string =>
  kindsOf(losses)
    .map(({ lost, of, text }) => `${lost} of ${of} ${text}`)
    .join(', ');

/** Whether so much of a session is missing that its figures say nothing about it; what begins late is whole from there on. */
export const isMostlyLost = (losses: Losses): boolean =>
  kindsOf({ ...losses, missingStarts: 0 }).some(
    ({ lost, of }) => lost >= MIN_LOST && lost > of * MAX_LOST_SHARE,
  );

/** One result that is missing is an interruption, whatever its share. */
const MIN_LOST = 2;
const MAX_LOST_SHARE = 0.25;

/** The losses of several sessions together. */
export function sumLosses(all: readonly Losses[]): Losses {
  const sum = (of: (losses: Losses) => number): number =>
    all.reduce((total, losses) => total + of(losses), 0);
  return {
    results: sum(({ results }) => results),
    inventedResults: sum(({ inventedResults }) => inventedResults),
    blocks: sum(({ blocks }) => blocks),
    unknownBlocks: sum(({ unknownBlocks }) => unknownBlocks),
    bills: sum(({ bills }) => bills),
    unusedBills: sum(({ unusedBills }) => unusedBills),
    records: sum(({ records }) => records),
    droppedRecords: sum(({ droppedRecords }) => droppedRecords),
    threads: sum(({ threads }) => threads),
    missingStarts: sum(({ missingStarts }) => missingStarts),
  };
}
