import { apiRounds, type Head, type Message, type ThinkingRule } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { leaveOutListings } from './leave-out-listings.ts';
import { LEFT_OUT_ID } from './machine-texts.ts';
import { rebind } from './rebind.ts';
import { shortenResults } from './shorten-results.ts';
import { stripMedia } from './strip-media.ts';

/** What a model is shown to summarise: a start of the conversation, and what had to be left out of it. */
export interface Draft {
  /** How many messages of the conversation the summary stands for. */
  readonly end: number;
  /** What is shown of them. */
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** What all of them have as they were sent, media aside. */
  readonly wholeTokens: number;
  /** Oldest messages that are not shown. */
  readonly omitted: number;
}

export interface DraftSource {
  /** Of the request: thinking that another one is behind does not go into it. */
  readonly head: Head;
  readonly messages: readonly Message[];
  /** Positions up to which a summary may reach, ascending. */
  readonly cuts: readonly number[];
  readonly rule: ThinkingRule;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /**
   * What gives way when nothing else helps: the newest rounds, which then stay in view (`peel`, down to `leastEnd`), or the
   * oldest, which the summary does not see.
   */
  readonly tooLong: 'peel' | 'drop-oldest';
  readonly leastEnd: number;
}

/** The first `end` messages as they were sent, but for media. */
export function createDraft(source: DraftSource, end: number): Draft {
  const sent = source.messages.slice(0, end);
  const messages = rebind(stripMedia(sent), source);
  const tokens = sumOf(messages, source.sizeOf);
  return { end, omitted: 0, messages, tokens, wholeTokens: tokens };
}

/**
 * A draft that is smaller by so many tokens, or by a fifth of its rounds where nobody knows how many; undefined where a
 * single round is left. Lists that are announced again go first: before that, the cached prefix is worth more than they
 * cost. Large results lose their middle before whole rounds are left out.
 */
export function shortenDraft(
  draft: Draft,
  source: DraftSource,
  gapTokens: number | undefined,
): Draft | undefined {
  const peeled = source.tooLong === 'peel' ? peelNewest(draft, source, gapTokens) : undefined;
  if (peeled) return peeled;
  const lean = redraft(draft, source, leaveOutListings(draft.messages));
  if (gapTokens === undefined) return dropOldest(lean, source, undefined);
  const leftOf = (shorter: Draft) => gapTokens - (draft.tokens - shorter.tokens);
  if (leftOf(lean) <= 0) return lean;
  const cut = redraft(lean, source, shortenResults(lean.messages, leftOf(lean), source.sizeOf));
  if (leftOf(cut) <= 0) return cut;
  return dropOldest(cut, source, leftOf(cut)) ?? (cut === draft ? undefined : cut);
}

const redraft = (draft: Draft, source: DraftSource, messages: readonly Message[]): Draft =>
  messages === draft.messages ? draft : toDraft(source, draft, messages);

/** What the newest rounds are taken from still starts with the bytes that were sent. */
function peelNewest(draft: Draft, source: DraftSource, gap: number | undefined): Draft | undefined {
  if (draft.omitted > 0) return undefined;
  const { cuts, leastEnd } = source;
  const ends = cuts.filter((cut) => cut < draft.end && cut >= leastEnd && cut > 0);
  const share = Math.max(1, Math.ceil(ends.length * UNKNOWN_SHARE));
  const end = gap === undefined ? ends.at(-share) : endBefore(ends, gap, source, draft.end);
  return end === undefined ? undefined : createDraft(source, end);
}

/** The share of rounds that goes where the gap is not known. */
const UNKNOWN_SHARE = 0.2;

/** The last of `ends` behind which so many tokens stand. */
function endBefore(
  ends: readonly number[],
  tokens: number,
  { messages, sizeOf }: DraftSource,
  end: number,
) {
  let [from, freed] = [end, 0];
  return ends.findLast((cut) => {
    while (from > cut) freed += sizeOf(messages[--from] as Message);
    return freed >= tokens;
  });
}

function dropOldest(draft: Draft, source: DraftSource, gap: number | undefined): Draft | undefined {
  const { lead, rounds } = partsOf(draft);
  if (rounds.length < 2) return undefined;
  const share = Math.max(1, Math.floor(rounds.length * UNKNOWN_SHARE));
  const count = gap === undefined ? share : roundsFor(gap, rounds, source.sizeOf);
  const dropped = Math.min(count, rounds.length - 1);
  const omitted = draft.omitted + rounds.slice(0, dropped).flat().length;
  const shown = [...lead, leftOut(omitted), ...rounds.slice(dropped).flat()];
  return toDraft(source, { ...draft, omitted }, shown);
}

/** How many of the oldest rounds have so many tokens. */
function roundsFor(
  tokens: number,
  rounds: readonly (readonly Message[])[],
  sizeOf: (message: Message) => number,
): number {
  let freed = 0;
  for (const [index, round] of rounds.entries()) {
    freed += sumOf(round, sizeOf);
    if (freed >= tokens) return index + 1;
  }
  return rounds.length;
}

/** An earlier summary leads and stays, because it stands for more than any round. */
function partsOf({ messages, omitted }: Draft) {
  const first = messages[0];
  const lead = first && isSummary(first) ? [first] : [];
  const rest = messages.slice(lead.length + (omitted > 0 ? 1 : 0));
  return { lead, rounds: apiRounds(rest) };
}

const leftOut = (count: number): Message => ({
  id: LEFT_OUT_ID,
  role: 'user',
  content: [{ type: 'text', text: `[${count} older messages are left out here.]` }],
  origin: { kind: 'synthetic' },
});

/** The draft with these messages in place of its own. */
function toDraft(source: DraftSource, draft: Draft, messages: readonly Message[]): Draft {
  const bound = rebind(messages, source);
  return { ...draft, messages: bound, tokens: sumOf(bound, source.sizeOf) };
}

/** Tokens of messages together. */
export const sumOf = (messages: readonly Message[], sizeOf: (message: Message) => number): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);
