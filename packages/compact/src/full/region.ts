import { isSummary, type Message } from '@varve/messages';
import { sumOf } from './draft.ts';
import { openMessages, requestAlone } from './open-messages.ts';
import { goalTokens, roomTokens } from './room.ts';
import type { Situation } from './situation.ts';
import { unbindTail } from './thinking.ts';

/** What a summary takes the place of, and what stays. */
export interface Region {
  /** A summary stands for the messages before this position. */
  readonly end: number;
  /** Messages of the user before `end` that stay as they are, because their request is not done. */
  readonly open: readonly Message[];
  /** What follows, less thinking that would be refused. */
  readonly tail: readonly Message[];
  /** Tokens of `open` and `tail`. */
  readonly keptTokens: number;
  /** Tokens of what is replaced. */
  readonly replacedTokens: number;
}

export type RegionResult =
  | { readonly kind: 'region'; readonly region: Region }
  | {
      readonly kind: 'none';
      readonly reason: 'nothing-to-compact' | 'round-open' | 'thinking-bound';
    };

/**
 * What to replace when about `keepTokens` of the newest rounds should stay: whole rounds, at least one where any should
 * stay and it leaves room for a summary, none where they hold thinking that could not stay. A request that is not done
 * is never replaced.
 */
export function chooseRegion(situation: Situation, keepTokens: number): RegionResult {
  const { cuts, messages } = situation;
  const trailing = trailingOpen(messages);
  const last = cuts.findLast((cut) => cut <= trailing) ?? 0;
  if (last === 0) {
    const reason =
      cuts.at(-1) === messages.length || trailing === 0 ? 'nothing-to-compact' : 'round-open';
    return { kind: 'none', reason };
  }
  const kept = keptEnd(situation, { keepTokens, last });
  const found = kept === undefined ? undefined : regionAt(situation, kept);
  return found?.kind === 'region' ? found : regionAt(situation, last);
}

/** Where what is kept begins: as many rounds as fit, or the newest one; undefined where nothing should stay. */
function keptEnd(
  situation: Situation,
  { keepTokens, last }: { readonly keepTokens: number; readonly last: number },
): number | undefined {
  if (keepTokens === 0) return undefined;
  const from = tokensFrom(situation);
  const behind = from[last] as number;
  const ends = situation.cuts.filter((cut) => cut > 0 && cut < last);
  const end = ends.find((cut) => (from[cut] as number) - behind <= keepTokens) ?? ends.at(-1);
  return end !== undefined && leavesRoom(situation, from[end] as number) ? end : undefined;
}

/** Where a summary that gives up the newest rounds one by one has to stop. */
export function leastEnd(situation: Situation, chosen: Region): number {
  const from = tokensFrom(situation);
  const end = situation.cuts.find((cut) => leavesRoom(situation, from[cut] as number));
  if (end === undefined || end >= chosen.end) return chosen.end;
  return unbindTail(situation.messages, { start: end, rule: situation.thinking }).kind === 'kept'
    ? end
    : chosen.end;
}

/** For each position the tokens from there to the end. */
function tokensFrom({ messages, sizeOf }: Situation): readonly number[] {
  const from = new Array<number>(messages.length + 1).fill(0);
  for (let index = messages.length - 1; index >= 0; index--) {
    from[index] = (from[index + 1] as number) + sizeOf(messages[index] as Message);
  }
  return from;
}

/** What is replaced and kept when a summary stands for the messages before `end`. */
export function regionAt(situation: Situation, end: number): RegionResult {
  const { messages, sizeOf, thinking } = situation;
  const replaced = messages.slice(0, end);
  const openPlaces = openMessages(messages).filter((index) => index < end);
  const open = openPlaces.map((index) => requestAlone(messages[index] as Message));
  const tail = unbindTail(messages, { start: end, rule: thinking });
  if (tail.kind === 'thinking-bound') return { kind: 'none', reason: 'thinking-bound' };
  const isNew = (message: Message) => !open.includes(message) && !isOld(message);
  if (!replaced.some(isNew) && !(replaced.some(isInjected) && isFull(situation))) {
    return { kind: 'none', reason: 'nothing-to-compact' };
  }
  const openTokens = sumOf(open, sizeOf);
  const region: Region = {
    end,
    open,
    tail: tail.messages,
    keptTokens: openTokens + sumOf(tail.messages, sizeOf),
    replacedTokens: sumOf(replaced, sizeOf) - openTokens,
  };
  return { kind: 'region', region };
}

/** What an earlier compaction wrote or brought back, and what an agent put in: nothing came of it that has to be told. */
const isOld = (message: Message): boolean => isSummary(message) || isInjected(message);

const isInjected = ({ role, origin }: Message): boolean =>
  role !== 'assistant' && (origin?.kind === 'reminder' || origin?.kind === 'synthetic');

const isFull = ({ tokensBefore, autocompactTokens }: Situation): boolean =>
  tokensBefore >= autocompactTokens;

/** Whether a summary fits beside so many kept tokens without another compaction at once. */
function leavesRoom(situation: Situation, keptTokens: number): boolean {
  const wanted = Math.min(ROOM_TOKENS, goalTokens(situation) / 2);
  return roomTokens(situation, keptTokens) >= wanted;
}

/** Most summaries of real sessions fit into this many tokens. */
const ROOM_TOKENS = 20_000;

/** Where the messages of the user begin that nothing was answered to yet; behind the last message where there are none. */
function trailingOpen(messages: readonly Message[]): number {
  const open = new Set(openMessages(messages));
  let start = messages.length;
  while (start > 0 && (open.has(start - 1) || messages[start - 1]?.role === 'system')) start--;
  while (start < messages.length && !open.has(start)) start++;
  return start;
}
