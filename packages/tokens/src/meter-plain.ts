import { checkOptions, type Expectation, required } from '@varve/guards';
import type { Message, Usage } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { type AnchorResult, acceptUsage, anchored, type UsagePlace } from './meter-accept.ts';
import type { Anchor } from './meter-anchor.ts';
import { responseIdOf } from './meter-edit.ts';
import { learnFromReply, mergeUsage, promptOf, settleReply } from './meter-reply.ts';
import { expectedTokens, type MeterState, pushMessage } from './meter-state.ts';

export interface ResponseOptions {
  /** Id of the API response a message or usage belongs to; several lines of one response count once. */
  readonly responseId?: string | undefined;
}

/** Adds a message; the reply of the newest bill, and further lines of it, are counted by that bill. */
export function addMessage(
  state: MeterState,
  message: MessageLike,
  { responseId = responseIdOf(message) }: ResponseOptions = {},
): void {
  const last = state.anchors.at(-1);
  const awaited = state.awaitsReply;
  state.awaitsReply = undefined;
  const isReply = message.role === 'assistant';
  const believed = awaited?.believed ? awaited.usage : undefined;
  if (!isReply || last === undefined || !belongs(last, responseId, believed)) {
    pushMessage(state, message, { responseId });
    if (isReply && awaited) state.answered = state.ledger.records.length;
    return;
  }
  const adjoins = last.covers === state.ledger.records.length;
  pushMessage(state, message, { responseId, counted: !adjoins && last.outputBilled });
  if (!adjoins) return;
  const covers = last.covers + 1;
  state.anchors[state.anchors.length - 1] = { ...last, covers, responseId };
  settleReply(state);
  if (believed) learnFromReply(state);
}

function belongs(anchor: Anchor, responseId: string | undefined, awaited?: Usage): boolean {
  if (responseId !== undefined && responseId === anchor.responseId) return true;
  return awaited !== undefined && (responseId === undefined || anchor.responseId === undefined);
}

/**
 * Takes the usage of the newest response, whether its reply was added already or not.
 *
 * @throws TypeError for what is no usage: counts that are texts would be joined, not added
 */
export function anchorUsage(
  state: MeterState,
  usage: Usage,
  { responseId }: ResponseOptions = {},
): AnchorResult {
  checkOptions(usage, COUNTS, 'usage');
  if (responseId !== undefined && state.anchors.at(-1)?.responseId === responseId) {
    mergeUsage(state, usage);
    return anchored(state);
  }
  const place = findReply(state, responseId);
  const result = takeUsage(state, usage, place);
  const believed = result.kind === 'anchored';
  state.answered = place.covers;
  if (place.covers === place.promptCount) state.awaitsReply = { usage, believed };
  else if (believed) countLines(state, place);
  return result;
}

const A_COUNT: Expectation = { what: 'a number', fits: (value) => typeof value === 'number' };
const MAYBE_A_COUNT: Expectation = {
  what: 'a number or null',
  fits: (value) => value === null || A_COUNT.fits(value),
};
const COUNTS = {
  input_tokens: required(A_COUNT),
  output_tokens: A_COUNT,
  cache_creation_input_tokens: MAYBE_A_COUNT,
  cache_read_input_tokens: MAYBE_A_COUNT,
};

/** Takes a usage at its place in the request, unless the reply there was written by no model. */
export function takeUsage(
  state: MeterState,
  usage: Usage,
  place: UsagePlace & { readonly learns?: boolean },
): AnchorResult {
  const replies = state.ledger.records.slice(place.promptCount, place.covers);
  if (!replies.some(({ message }) => isSynthetic(message))) return acceptUsage(state, usage, place);
  return {
    kind: 'ignored',
    reason: 'synthetic-reply',
    billedTokens: promptOf(usage),
    expectedTokens: Math.round(expectedTokens(state, place.promptCount)),
  };
}

/** Written by no model, or standing for a reply that failed. */
function isSynthetic(
  message: MessageLike & Partial<Pick<Message, 'origin' | 'response'>>,
): boolean {
  const { origin, response } = message;
  if (origin?.kind === 'synthetic') return true;
  return response?.model === '<synthetic>' || response?.stopReason === 'error';
}

/** The reply among the messages that no bill covers yet; the place behind all of them where it was not added yet. */
function findReply(state: MeterState, responseId: string | undefined): UsagePlace {
  const { records } = state.ledger;
  const floor = Math.max(state.answered, state.anchors.at(-1)?.covers ?? 0);
  const fresh = records.slice(floor);
  const named = fresh.findIndex(
    (record) => responseId !== undefined && record.responseId === responseId,
  );
  const last = fresh.findLastIndex(({ message }) => message.role === 'assistant');
  let first = named >= 0 ? named : last;
  if (first < 0) return { responseId, promptCount: records.length, covers: records.length };
  const id = fresh[first]?.responseId;
  const isLine = (index: number) =>
    fresh[index]?.message.role === 'assistant' && fresh[index]?.responseId === id;
  while (named < 0 && isLine(first - 1)) first--;
  let end = first + 1;
  while (isLine(end)) end++;
  return { responseId: responseId ?? id, promptCount: floor + first, covers: floor + end };
}

/** Lines of a response that stand behind results of its own calls are part of its output. */
function countLines(state: MeterState, { responseId, covers }: UsagePlace): void {
  const { ledger, anchors } = state;
  const isCounted = anchors.at(-1)?.outputBilled === true;
  const behind = ledger.records.slice(covers);
  const isLine = (id: string | undefined) => id !== undefined && id === responseId;
  if (!behind.some((record) => isLine(record.responseId))) return;
  ledger.truncate(covers);
  for (const { message, responseId: id } of behind) {
    pushMessage(state, message, { responseId: id, counted: isCounted && isLine(id) });
  }
}
