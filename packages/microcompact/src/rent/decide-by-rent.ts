import type { PlanContext } from '@varve/messages';
import type { Candidates } from '../candidate.ts';
import { type Decision, nothing } from '../decision-types.ts';
import { clearingPlaces } from './clearing-places.ts';

export interface RentOptions {
  /**
   * What says how likely something is needed again. `age`: its age and the kind of its tool. `need`: what came later as well, by
   * weights fitted on recorded sessions: whether newer blocks show its lines, calls named it, or its path. It keeps less of what
   * stands elsewhere too, and more of what is still worked on.
   * @default 'age'
   */
  readonly by?: 'age' | 'need' | undefined;
  /**
   * Newest clearable results that stay.
   * @default 4
   */
  readonly keepRecent?: number | undefined;
  /**
   * The cached prefix is broken once the rent that was paid too long is so many times what writing it anew costs. A replay
   * of 20 recorded sessions did best at 4. By need half of it when a person has just spoken.
   * @default 4
   */
  readonly patience?: number | undefined;
  /**
   * How many times dearer than its price fetching something again is taken to be: for the turn and the trust it costs
   * besides. Higher keeps more at hand: at 2, nine tenths of what recorded sessions soon needed were. By need three fifths of it
   * when a person has just spoken.
   * @default 2; 2.5 by need
   */
  readonly caution?: number | undefined;
}

/**
 * Ski rental: what lies in the context pays rent, its reading in every request. Rent counts from the request on in which
 * something stopped being worth it (`dueAge`). Once that of everything due behind a place is a multiple of what it costs to
 * write what follows the place again, all of it goes; at once when the cache is cold, and from the size on at which the
 * conversation would be compacted. No guess of how long the session goes on is needed, and only ratios of prices count.
 * One step for each candidate.
 */
export function decideByRent(
  candidates: Candidates,
  context: PlanContext,
  options: RentOptions = {},
): Decision {
  if (context.contextTokens >= context.limits.autocompactTokens) {
    return decidePressed(candidates, context, options);
  }
  const { patience, ...settings } = settingsOf(options, context);
  const cuts = clearingPlaces(candidates, context, { ...settings, all: false });
  let best = 0;
  for (const [at, { net }] of cuts.entries()) if (net > (cuts[best]?.net ?? 0)) best = at;
  const cut = cuts[best];
  if (cut === undefined) return nothing('rent-not-due');
  if (cut.net <= 0 || cut.rent < patience * cut.rewrite) {
    return { ...nothing('rent-not-paid'), queued: cut.candidate };
  }
  const clear = cuts.slice(0, best + 1).map(({ candidate }) => candidate);
  return { clear: clear.reverse(), reason: context.cache.warm ? 'rent-paid' : 'cold-cache' };
}

/** What is due goes, whatever the rewrite costs; everything that may go where that is not enough. */
function decidePressed(
  candidates: Candidates,
  context: PlanContext,
  options: RentOptions,
): Decision {
  const { contextTokens, limits } = context;
  const settings = settingsOf(options, context);
  const due = clearingPlaces(candidates, context, { ...settings, all: false });
  const isEnough = contextTokens - (due.at(-1)?.freed ?? 0) < limits.autocompactTokens;
  const cuts = isEnough ? due : clearingPlaces(candidates, context, { ...settings, all: true });
  if (cuts.length === 0) return nothing('nothing-to-clear');
  return { clear: cuts.map(({ candidate }) => candidate).reverse(), reason: 'pressure' };
}

/** What a person says opens a new piece of work: what belongs to the old one is less likely to be needed. */
const AT_USER_TURN = { caution: 0.6, patience: 0.5 };

function settingsOf(options: RentOptions, { atUserTurn }: PlanContext) {
  const { by = 'age', keepRecent = 4, patience = 4, caution = by === 'need' ? 2.5 : 2 } = options;
  if (by === 'age' || !atUserTurn) return { by, keepRecent, patience, caution };
  return {
    ...{ by, keepRecent },
    patience: patience * AT_USER_TURN.patience,
    caution: caution * AT_USER_TURN.caution,
  };
}
