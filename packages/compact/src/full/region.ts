import type { Message } from '@varve/messages';
import { isSummary, openRequests } from '@varve/messages/persons';
import { sumOf } from './draft.ts';
import { besideResults, fitResults, type GivesWay } from './fit-results.ts';
import { openMessages, requestAlone } from './open-messages.ts';
import { goalTokens, roomTokens, savingRoom } from './room.ts';
import type { Situation } from './situation.ts';
import { unbindTail } from './thinking.ts';

/** What a summary takes the place of, and what stays. */
export interface Region {
  /** A summary stands for the messages before this position. */
  readonly end: number;
  /** Messages of the user before `end` that stay as they are, because their request is not done. */
  readonly open: readonly Message[];
  /** What follows, less thinking that would be refused, and with results cut where the newest round would not fit. */
  readonly tail: readonly Message[];
  /** Tokens of `open` and `tail`. */
  readonly keptTokens: number;
  /** Tokens of what is replaced, and of what was cut out of results that stay. */
  readonly replacedTokens: number;
}

export type RegionResult =
  | { readonly kind: 'region'; readonly region: Region }
  | {
      readonly kind: 'none';
      readonly reason: 'nothing-to-compact' | 'round-open' | 'thinking-bound';
    };

export interface Keeping {
  /** About so many tokens of the newest rounds stay; none where it is 0. */
  readonly keepTokens: number;
  /** The share of the next request that has to be saved at least, from 0 to 1. */
  readonly minSavings: number;
}

/**
 * What to replace when about `keepTokens` of the newest rounds should stay: whole rounds, as many as fit, and the newest one
 * always, with its results cut where it is larger than its room. Its calls and what a person says beside its results stay as
 * they are, and may be more. None stays where it holds thinking that could not, or where they leave no room. A request that
 * is not done is never replaced.
 */
export function chooseRegion(situation: Situation, keeping: Keeping): RegionResult {
  const { cuts, messages } = situation;
  const trailing = trailingOpen(messages);
  const last = cuts.findLast((cut) => cut <= trailing) ?? 0;
  if (last === 0) {
    const reason =
      cuts.at(-1) === messages.length || trailing === 0 ? 'nothing-to-compact' : 'round-open';
    return { kind: 'none', reason };
  }
  const kept = keeping.keepTokens === 0 ? undefined : keptRegion(situation, last, keeping);
  return kept === undefined ? regionAt(situation, last) : { kind: 'region', region: kept };
}

/** As many rounds before `last` as fit, or the newest of them; undefined where nothing can stay. */
function keptRegion(
  situation: Situation,
  last: number,
  { keepTokens, minSavings }: Keeping,
): Region | undefined {
  const from = tokensFrom(situation);
  const behind = from[last] as number;
  const most = roomTokens(situation, 0) - wantedRoom(situation);
  const wanted = Math.min(keepTokens + behind, most);
  const ends = situation.cuts.filter((cut) => cut > 0 && cut < last);
  const fitting = ends.findIndex((cut) => (from[cut] as number) <= wanted);
  const whole = ends.at(fitting); // the newest where none fits
  if (whole === undefined) return undefined;
  if (fitting > 0 && (from[whole] as number) - behind < (wanted - behind) * WELL_USED) {
    const joined = cutAt(situation, { end: ends[fitting - 1] as number, whole, wanted });
    if (joined !== undefined && joined.keptTokens <= wanted) return joined;
  }
  if (whole !== ends.at(-1)) return keptAt(situation, whole);
  const room = Math.min(most, savedAround(situation, minSavings));
  const almost = Math.max(keepTokens * ALMOST, SMALL_ROUND_TOKENS) + behind;
  const isAlmost = (from[whole] as number) <= almost;
  const newest = keptAt(situation, whole);
  if (newest === undefined) return undefined;
  const beside = besideResults([...newest.open, ...newest.tail], situation.sizeOf);
  const forResults = beside + keepTokens * LEAST_FOR_RESULTS;
  const withOpen = wanted + sumOf(newest.open, situation.sizeOf);
  const wantedTokens = isAlmost ? newest.keptTokens : Math.max(withOpen, forResults);
  const mostTokens = Math.min(wantedTokens, room);
  const fitted = cutToFit(newest, situation, { mostTokens, givesWay: 'all' });
  return fitted.keptTokens <= most ? fitted : undefined;
}

const keptAt = (situation: Situation, end: number): Region | undefined => {
  const found = regionAt(situation, end);
  return found.kind === 'region' ? found.region : undefined;
};

/** So many times `keepTokens` the newest round may have and stay whole: a tenth more, and what frames its results. */
const ALMOST = 1.105;
/** Where the newest round has no more tokens than this, cutting it would free next to nothing. */
const SMALL_ROUND_TOKENS = 1_000;

/** The share of `keepTokens` that results have beside calls and words that take the rest or more. */
const LEAST_FOR_RESULTS = 1 / 4;

/** The share of `keepTokens` below which one more round joins those that fit, with its results cut. */
const WELL_USED = 1 / 2;

/** What is kept from `end` on, with the results before `whole` cut so that it has so many tokens where that is enough. */
function cutAt(
  situation: Situation,
  { end, whole, wanted }: { readonly end: number; readonly whole: number; readonly wanted: number },
): Region | undefined {
  const region = keptAt(situation, end);
  const mayCut = new Set(situation.messages.slice(end, whole).map(({ id }) => id));
  return region && cutToFit(region, situation, { mostTokens: wanted, mayCut, givesWay: 'texts' });
}

interface Fit {
  /** What may be kept together, in tokens. */
  readonly mostTokens: number;
  /** Ids of the messages at the start of the tail whose results may be cut. @default all */
  readonly mayCut?: ReadonlySet<string>;
  /** @default 'media' */
  readonly givesWay?: GivesWay;
}

/** The region with results of its tail cut, so that no more tokens than these are kept, as far as that goes. */
export function cutToFit(
  region: Region,
  { sizeOf }: Situation,
  { mostTokens, mayCut, givesWay = 'media' }: Fit = { mostTokens: 0 },
): Region {
  const { tail, keptTokens, replacedTokens } = region;
  const whole = mayCut ? tail.findIndex(({ id }) => !mayCut.has(id)) : -1;
  const cuttable = whole < 0 ? tail : tail.slice(0, whole);
  const tokens = sumOf(cuttable, sizeOf);
  const fitted = fitResults(cuttable, mostTokens - (keptTokens - tokens), sizeOf, { givesWay });
  if (fitted === cuttable) return region;
  const freed = tokens - sumOf(fitted, sizeOf);
  return {
    ...region,
    tail: [...fitted, ...tail.slice(cuttable.length)],
    keptTokens: keptTokens - freed,
    replacedTokens: replacedTokens + freed,
  };
}

/** Tokens that may stay, so that enough is saved with a summary beside them. */
function savedAround(situation: Situation, minSavings: number): number {
  const saving = savingRoom(situation, 0, minSavings);
  return saving - Math.min(LEAST_SUMMARY_TOKENS, saving * LEAST_SHARE);
}

/** What a summary needs at least: so many tokens, or such a share of what may be left in a small conversation. */
const LEAST_SUMMARY_TOKENS = 2_000;
const LEAST_SHARE = 0.1;

/** Where a summary that gives up the newest rounds one by one has to stop. */
export function leastEnd(situation: Situation, chosen: Region): number {
  const from = tokensFrom(situation);
  const end = situation.cuts.find((cut) => leavesRoom(situation, from[cut] as number));
  if (end === undefined || end >= chosen.end) return chosen.end;
  const tail = unbindTail(situation.messages, { start: end, rule: situation.thinking });
  return tail === undefined ? chosen.end : end;
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
  if (tail === undefined) return { kind: 'none', reason: 'thinking-bound' };
  const isNew = (message: Message) => !open.includes(message) && !isOld(message);
  if (!replaced.some(isNew) && !(replaced.some(isInjected) && isFull(situation))) {
    return { kind: 'none', reason: 'nothing-to-compact' };
  }
  const openTokens = sumOf(open, sizeOf);
  const region: Region = {
    end,
    open,
    tail,
    keptTokens: openTokens + sumOf(tail, sizeOf),
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
const leavesRoom = (situation: Situation, keptTokens: number): boolean =>
  roomTokens(situation, keptTokens) >= wantedRoom(situation);

const wantedRoom = (situation: Situation): number =>
  Math.min(ROOM_TOKENS, goalTokens(situation) / 2);

/** Most summaries of real sessions fit into this many tokens. */
const ROOM_TOKENS = 20_000;

/**
 * Where the messages of the user begin that nothing was answered to yet; behind the last message where there are none. Words
 * beside results can stand without those.
 */
function trailingOpen(messages: readonly Message[]): number {
  const open = new Set(openRequests(messages).open);
  let start = messages.length;
  while (start > 0 && (open.has(start - 1) || messages[start - 1]?.role === 'system')) start--;
  while (start < messages.length && !open.has(start)) start++;
  return start;
}
