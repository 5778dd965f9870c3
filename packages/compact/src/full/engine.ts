import type { Message, Usage } from '@varve/messages';
import { acceptSize } from '@varve/tokens/limits';
import type { CompactionFailed, Summarize, Trigger } from '../types.ts';
import type { Draft } from './draft.ts';
import type { CompactFailure } from './failure.ts';
import { renderFallback } from './fallback.ts';
import { personText } from './open-messages.ts';
import { chooseRegion, cutToFit, leastEnd, type Region, regionAt } from './region.ts';
import { roomTokens, savingRoom } from './room.ts';
import type { Settings } from './settings.ts';
import { type Settled, settle } from './settle.ts';
import { type Situation, wholeBounds } from './situation.ts';
import { summaryText } from './summary-text.ts';
import { textsOf } from './transcript.ts';
import { writeSummary } from './write-summary.ts';

export interface Occasion {
  readonly trigger: Trigger;
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls of the model that were made, and what they cost. */
export interface Bill {
  readonly calls: number;
  readonly usage?: Usage;
}

/** What takes the place of a conversation, or of one side of it. Nothing has changed yet. */
export interface Made extends Settled, Bill {
  readonly kind: 'compacted';
  readonly engine: 'summary' | 'ledger';
  /** Why no model wrote it. */
  readonly failure?: CompactFailure;
  /** The error behind it. */
  readonly cause?: unknown;
  /** Messages that the model was not shown, because there was no room. */
  readonly omitted: number;
  /** The share of what is replaced that the model was shown, from 0 to 1. */
  readonly seenShare?: number;
  /** The conversation, or the side of it, that the edit is made of. */
  readonly situation: Situation;
  /** What stays in front of the summary. */
  readonly before: readonly Message[];
}

/**
 * Finds what takes the place of a conversation, and changes nothing: a model's summary, checked and repaired; or the facts
 * of the ledger; or a reason why neither fits.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function summarizeAll(
  situation: Situation,
  settings: Settings,
  occasion: Occasion,
): Promise<Made | CompactionFailed<CompactFailure>> {
  const { summarize, keepTokens = keptBy(settings, situation), minSavings } = settings;
  const chosen = chooseRegion(situation, { keepTokens, minSavings });
  if (chosen.kind === 'none') return { kind: 'failed', reason: chosen.reason, calls: 0 };
  const { region } = chosen;
  // what stays whatever a summary says: no model is asked for one that could not be put in force
  const stays = situation.overheadTokens + situation.restTokens;
  const least = acceptSize(stays, wholeBounds(situation, minSavings));
  if (least.kind === 'refused') return { kind: 'failed', reason: least.reason, calls: 0 };
  const job: Job = { situation, settings, occasion, region };
  if (summarize === 'ledger') return byLedger(job, { calls: 0 });
  const result = await writeSummary(taskOf(job, summarize), occasion.signal);
  if (result.kind === 'failed') return fallBack(result, job);
  const bill = { calls: result.calls, ...(result.usage && { usage: result.usage }) };
  const { omitted } = result.draft;
  const settled = settleWritten(result.text, result.draft, job);
  if (settled.kind === 'refused')
    return fallBack({ kind: 'failed', reason: settled.reason, ...bill }, job);
  const { seenShare } = result;
  return {
    ...settled,
    ...{ kind: 'compacted', engine: 'summary', omitted, seenShare, situation, before: [] },
    ...bill,
  };
}

/** What stays where nobody says: no model reads what a ledger stands for, and the newest results may be unseen. */
const keptBy = ({ summarize }: Settings, { tokensBefore }: Situation): number =>
  summarize === 'ledger' ? Math.min(LEDGER_KEEPS, Math.floor(tokensBefore / 5)) : 0;

/** That of `layers+ledger` of `@varve/evals`, in tokens. */
const LEDGER_KEEPS = 20_000;

interface Job {
  readonly situation: Situation;
  readonly settings: Settings;
  readonly occasion: Occasion;
  readonly region: Region;
}

function taskOf({ situation, settings, occasion, region }: Job, summarize: Summarize) {
  const { head, messages, cuts, windowTokens, maxOutputTokens, overheadTokens } = situation;
  const { tokenizer } = situation;
  const { wait, onAttempt, mark, maxSummaryTokens, minSavings } = settings;
  const { sizeOf, sizeOfText, thinking: rule } = situation;
  const mostOutput = Math.min(maxSummaryTokens, maxOutputTokens ?? maxSummaryTokens);
  const accept = ({ end }: Draft) => ({
    replaced: () => textsOf(messages.slice(0, end)),
    replacedTokens: replacedAt(situation, end, region),
    maxTokens: maxSummaryTokens,
    minSavings,
    sizeOf: sizeOfText,
    earlier: situation.earlier,
  });
  return {
    ...{ head, messages, cuts, windowTokens, maxOutputTokens, overheadTokens, tokenizer },
    ...{ sizeOf, rule },
    sizeOfText,
    ...{ summarize, wait, onAttempt, mark, accept, end: region.end, outputTokens: mostOutput },
    maxSummaryTokens,
    focus: occasion.focus,
    tooLong: settings.tooLong,
    leastEnd: settings.tooLong === 'peel' ? leastEnd(situation, region) : region.end,
  };
}

function replacedAt(situation: Situation, end: number, region: Region): number {
  if (end === region.end) return region.replacedTokens;
  const found = regionAt(situation, end);
  return found.kind === 'region' ? found.region.replacedTokens : 0;
}

/** The rounds that had to be peeled off stay. */
function settleWritten(text: string, draft: Draft, { situation, settings, occasion, region }: Job) {
  const found =
    draft.end === region.end ? { kind: 'region' as const, region } : regionAt(situation, draft.end);
  if (found.kind === 'none') return { kind: 'refused', reason: 'thinking-bound' } as const;
  const { originals, verify } = settings;
  const budgetTokens = repairBudget(text, found.region, { situation, settings });
  const stays = [...found.region.open, ...found.region.tail];
  const have = personText(stays);
  const shown = stays.map(({ id }) => id);
  const { facts } = situation;
  const { text: body, findings } = verify
    ? facts.check(text, { budgetTokens, originals, have, shown })
    : { text: facts.redact(text), findings: [] };
  const { trigger } = occasion;
  const settledBeside = (kept: Region) =>
    settle({ body, findings, region: kept }, situation, { ...settings, trigger });
  const settled = settledBeside(found.region);
  if (settled.kind === 'accepted') return settled;
  const isPressing = situation.tokensBefore >= situation.autocompactTokens;
  const shortest = isPressing ? cutToFit(found.region, situation) : found.region;
  return shortest === found.region ? settled : settledBeside(shortest);
}

/** Half as much again as a summary may have, and not more than it saves. */
function repairBudget(
  text: string,
  { replacedTokens, keptTokens }: Region,
  { situation, settings }: Pick<Job, 'situation' | 'settings'>,
): number {
  const taken = situation.sizeOfText(summaryText(text, { trigger: 'auto', openFollows: true }));
  const room = roomTokens(situation, keptTokens) - taken;
  const { minSavings, maxSummaryTokens } = settings;
  const { roomTokens: saved } = acceptSize(taken, { ofTokens: replacedTokens, minSavings });
  const left = savingRoom(situation, keptTokens, minSavings) - taken;
  return Math.max(0, Math.floor(Math.min(maxSummaryTokens / 2, room, saved, left)));
}

/** The facts of the ledger, where they may take the place of a summary that did not come. */
function fallBack(
  failed: CompactionFailed<CompactFailure>,
  job: Job,
): Made | CompactionFailed<CompactFailure> {
  const { reason: failure, calls = 0, usage, cause } = failed;
  if (!mayFallBack(failure, job.situation, job.settings)) return failed;
  const instead = { ...(usage && { usage }), ...(cause !== undefined && { cause }) };
  const made = byLedger(job, { calls, ...instead });
  return made.kind === 'failed' ? made : { ...made, failure };
}

/** The facts of the ledger, with what was paid and tried before them. */
function byLedger(
  { situation, settings, occasion, region }: Job,
  before: Bill & Pick<Made, 'cause'>,
): Made | CompactionFailed<CompactFailure> {
  const fallen = renderFallback(situation, settings, { ...occasion, region });
  if (fallen.kind === 'refused') return { ...before, kind: 'failed', reason: fallen.reason };
  return {
    ...fallen,
    ...{ kind: 'compacted', engine: 'ledger', omitted: 0, situation, before: [] },
    ...before,
  };
}

/** A summary that saved too little says that there is little to save: only a full window is worse. */
function mayFallBack(
  reason: CompactFailure,
  situation: Situation,
  { fallback }: Settings,
): boolean {
  if (fallback === 'none') return false;
  const full = situation.tokensBefore >= situation.effectiveTokens;
  return full || (fallback === 'ledger' && reason !== 'not-smaller');
}
