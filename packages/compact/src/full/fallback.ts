import { acceptSize } from '@varve/tokens/limits';
import type { Trigger } from '../types.ts';
import { personText } from './open-messages.ts';
import { cutToFit, type Region, regionAt } from './region.ts';
import { roomTokens, savingRoom } from './room.ts';
import type { Settings } from './settings.ts';
import { type SettleResult, settle } from './settle.ts';
import type { Situation } from './situation.ts';

/**
 * A compaction without a model: the facts of the ledger as the summary. Where that does not fit, with less in it, and then
 * with nothing kept beside it.
 */
export function renderFallback(
  situation: Situation,
  settings: Settings,
  { trigger, region }: { readonly trigger: Trigger; readonly region: Region },
): SettleResult {
  let last: SettleResult = { kind: 'refused', reason: 'still-too-large' };
  const factsAt = createFacts({ situation, settings });
  const options = { situation, settings, trigger, factsAt };
  for (const each of regions(region, options)) {
    for (const share of SHARES) {
      const budgetTokens = budgetFor(each, situation, settings) * share;
      const tried = renderAt(each, Math.floor(budgetTokens), options);
      if (tried.kind === 'accepted') return tried;
      last = tried;
    }
  }
  return last;
}

/** Shares of the budget; rules and pins stand above it, so a smaller one can be what fits. */
const SHARES = [1, 0.5, 0.1];

/**
 * The one that was chosen, with as much of its results cut as the facts need room; then as it is; then with its results cut as
 * far as that goes; then the one that keeps nothing.
 */
function* regions(chosen: Region, tools: Tools): Generator<Region> {
  const { situation } = tools;
  const roomier = withRoomForFacts(chosen, tools);
  if (roomier !== chosen) yield roomier;
  yield chosen;
  const shortest = cutToFit(chosen, situation);
  if (shortest !== chosen) yield shortest;
  for (const end of situation.cuts.filter((cut) => cut > chosen.end).toReversed()) {
    const wider = regionAt(situation, end);
    if (wider.kind !== 'region') continue;
    yield wider.region;
    return;
  }
}

/** What results say can be read again, what people said cannot. */
function withRoomForFacts(region: Region, tools: Tools): Region {
  const { situation, settings, factsAt } = tools;
  const { maxSummaryTokens, minSavings } = settings;
  const wanted = situation.sizeOfText(factsAt(region, maxSummaryTokens));
  const missing = wanted - budgetFor(region, situation, settings);
  if (missing <= 0) return region;
  const mostTokens = region.keptTokens - missing / ((1 - minSavings) * FRAMED);
  return cutToFit(region, situation, { mostTokens });
}

/** What still saves enough of what is replaced, and never more than there is room for. */
function budgetFor(region: Region, situation: Situation, settings: Settings): number {
  const room = roomTokens(situation, region.keptTokens);
  const { minSavings } = settings;
  const saving =
    Math.min(
      acceptSize(0, { ofTokens: region.replacedTokens, minSavings }).roomTokens,
      savingRoom(situation, region.keptTokens, minSavings),
    ) * FRAMED;
  return Math.max(0, Math.min(settings.maxSummaryTokens, saving, room));
}

/** What stands around the facts takes a little, too. */
const FRAMED = 0.95;

interface Tools {
  readonly situation: Situation;
  readonly settings: Settings;
  readonly trigger: Trigger;
  /** The facts that stand for a region, in so many tokens. */
  readonly factsAt: (region: Region, budgetTokens: number) => string;
}

/** What was rendered last is known: facts that have room are looked at for their size first, and then stand as they are. */
function createFacts({ situation, settings }: Pick<Tools, 'situation' | 'settings'>) {
  const { originals } = settings;
  let last: { readonly region: Region; readonly budgetTokens: number; readonly text: string };
  return (region: Region, budgetTokens: number): string => {
    if (last?.region === region && last.budgetTokens === budgetTokens) return last.text;
    const stays = [...region.open, ...region.tail];
    const have = personText(stays);
    const mayCut = isPressing(situation);
    const shown = stays.map(({ id }) => id);
    const text = situation.facts.render({ budgetTokens, originals, have, shown, mayCut });
    last = { region, budgetTokens, text };
    return text;
  };
}

const isPressing = ({ tokensBefore, autocompactTokens }: Situation): boolean =>
  tokensBefore >= autocompactTokens;

function renderAt(region: Region, budgetTokens: number, tools: Tools) {
  const { situation, settings, trigger, factsAt } = tools;
  const facts = factsAt(region, budgetTokens);
  const isBlank = facts.trim() === '';
  if (isBlank && !isPressing(situation)) return { kind: 'refused', reason: 'not-smaller' } as const;
  const body = isBlank ? NO_FACTS : facts;
  return settle({ body, findings: [], region }, situation, { ...settings, trigger });
}

/** A summary that says nothing is worth it only where there is no room left. */
const NO_FACTS = 'Nothing of it is on record beside what stands here.';
