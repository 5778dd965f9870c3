import type { Block, Entry, Message, Planner, View } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createModelEstimators } from '@varve/tokens/models';
import { goneWith } from '../demand/gone-with.ts';
import { RE_READ_CALL_TOKENS } from '../demand/lower-bounds.ts';
import { createNextUse, type NextUse } from '../demand/next-use.ts';
import { cheapestOf, createReference, type Reference } from '../replay/reference.ts';
import type { SessionPlan } from '../replay/session-plan.ts';
import { type ContextSetting, contextStrategy } from './context-strategy.ts';

type Decide = NonNullable<NonNullable<Parameters<typeof createMicrocompact>[0]>['decide']>;
type Candidate = Parameters<Decide>[0]['list'][number];

export const LEGAL_ORACLE = 'legal-oracle';

/** Newest results that stay, as under the rent rule. */
const KEEP_RECENT = 4;

interface Variant extends Pick<ContextSetting, 'fold' | 'stableTtl'> {
  /** A rewrite has to save so many times what it costs: which is best depends on what is cleared later. */
  readonly patience: number;
}

function createVariant({ patience, ...more }: Variant): Reference {
  return createReference(LEGAL_ORACLE, {
    create(context, plan) {
      const { history, replies } = plan.recording;
      const asked = new Set(replies.map((reply) => history[reply] as Message));
      const clock = { request: 0 };
      const planner = createForesight(plan, { patience, clock });
      const layers = [{ name: 'microcompact', planner }];
      const run = contextStrategy(LEGAL_ORACLE, () => ({ layers, ...more })).create(context);
      return {
        ...run,
        add(message) {
          if (asked.has(message)) clock.request += 1;
          run.add(message);
        },
      };
    },
  });
}

const CLEARING = [createVariant({ patience: 3 }), createVariant({ patience: 8 })];

/**
 * Clears by the product's own edits, within its rules and behind its markers, what costs less gone than kept, knowing when each thing
 * is needed next. What it costs bounds what clearing can save.
 */
const legalOracle: Reference = cheapestOf(LEGAL_ORACLE, CLEARING);

/** The same, or with the product's fold of old small calls behind it where that is cheaper, with markers of one hour or without. */
export const foldingOracle: Reference = cheapestOf(`${LEGAL_ORACLE}+fold`, [
  createVariant({ patience: 1, fold: {}, stableTtl: '1h' }),
  createVariant({ patience: 3, fold: {} }),
  ...CLEARING,
]);

export default legalOracle;

interface ForesightOptions {
  readonly patience: number;
  /** The request that is asked for now. */
  readonly clock: { readonly request: number };
}

function createForesight(plan: SessionPlan, { patience, clock }: ForesightOptions): Planner {
  const { demand, pricing, recording } = plan;
  const { history, replies } = recording;
  const { model } = pricing;
  const { block: sizeOf } = createModelEstimators({ models: [model] })(model.id);
  const nextUse = createNextUse({ history, replies, demand });
  const nextPause = pausesOf(plan);
  let view: View = { messages: [], changedFrom: 0 };
  const decide: Decide = (candidates, context) => {
    const { list, all = list, requests, round, results, tailTokens } = candidates;
    const { prices, contextTokens, cache, limits } = context;
    const { request } = clock;
    const needed = nextNeeds(view, { list: all, demand, nextUse, request });
    const isPressed = contextTokens >= limits.autocompactTokens;
    const dearer = cache.warm && !isPressed ? Math.max(0, prices.write - prices.read) : 0;
    const reachable = new Set(list);
    const cuts: Candidate[] = [];
    let [behind, freed, worth] = [tailTokens, 0, 0];
    let best = { count: 0, net: 0, freed: 0, rewrite: 0 };
    for (const candidate of all.toReversed()) {
      const { tokens, clearedTokens, kind, round: own, ordinal, addedAt, gapTokens } = candidate;
      behind += tokens;
      const next = needed.get(candidate.block);
      const fetch =
        next === undefined
          ? 0
          : prices.write * tokens +
            prices.read * contextTokens +
            prices.output * RE_READ_CALL_TOKENS;
      const stays = Math.max(0, (next ?? replies.length) - request);
      const value = prices.read * (tokens - clearedTokens) * stays - fetch;
      const isHeld =
        kind === 'thinking'
          ? requests - addedAt < THINKING_REQUESTS
          : own === round || ordinal >= results - KEEP_RECENT;
      if (!isHeld && value > 0 && reachable.has(candidate)) {
        freed += tokens - clearedTokens;
        worth += value;
        cuts.push(candidate);
        const rewrite = dearer * (behind - freed);
        const net = worth - patience * rewrite;
        if (net > best.net) best = { count: cuts.length, net, freed, rewrite };
      }
      behind += gapTokens;
    }
    // until a pause that makes the rewrite free, keeping may be cheaper
    const untilPause = nextPause(request + 1) - request;
    const waits = prices.read * best.freed * untilPause < best.rewrite;
    if (best.count === 0 || waits) return { clear: [], reason: 'foresight', queued: cuts.at(-1) };
    return { clear: cuts.slice(0, best.count).reverse(), reason: 'foresight' };
  };
  const planner = createMicrocompact({ sizeOf, decide });
  return {
    plan: planner.plan,
    frontier: planner.frontier,
    observe(entry: Entry, next: View) {
      view = next;
      planner.observe(entry, next);
    },
  };
}

/** As under the rent rule. */
const THINKING_REQUESTS = 2;

/** The first request from one on before which the cache will have gone cold. */
function pausesOf({ recording, pricing }: SessionPlan): (request: number) => number {
  const { startMs } = recording.times;
  const { ms } = pricing.policy.lifetimes.short;
  const pauses = new Array<number>(startMs.length + 2).fill(Number.POSITIVE_INFINITY);
  for (let at = startMs.length - 1; at > 0; at--) {
    const gap = (startMs[at] as number) - (startMs[at - 1] as number);
    const isCold = ms !== null && gap > ms;
    pauses[at] = isCold ? at : (pauses[at + 1] as number);
  }
  return (request) => pauses[request] ?? Number.POSITIVE_INFINITY;
}

interface NeedsOptions extends Pick<SessionPlan, 'demand'> {
  readonly list: readonly Candidate[];
  readonly nextUse: NextUse;
  readonly request: number;
}

/** When what a candidate is the newest to show, and nothing that stays shows, is needed next. */
function nextNeeds(
  { messages }: View,
  { list, demand: { index }, nextUse, request }: NeedsOptions,
): ReadonlyMap<Block, number> {
  const clearable = new Set(list.map(({ block }) => block));
  const holders = new Map<number, Block | undefined>();
  for (const { content } of messages) {
    for (const block of content) {
      const gone = clearable.has(block) ? new Set(unitsGone(block, index)) : undefined;
      for (const unit of index.unitsOf(block)) {
        if (!gone?.has(unit)) holders.set(unit, undefined);
        else if (!holders.has(unit) || holders.get(unit) !== undefined) holders.set(unit, block);
      }
    }
  }
  const needs = new Map<Block, number>();
  for (const [unit, block] of holders) {
    if (block === undefined) continue;
    const next = nextUse(unit, request);
    if (next !== undefined && next < (needs.get(block) ?? Infinity)) needs.set(block, next);
  }
  return needs;
}

const goneParts = new WeakMap<Block, Block>();

function unitsGone(block: Block, index: SessionPlan['demand']['index']): readonly number[] {
  let gone = goneParts.get(block);
  if (gone === undefined) {
    gone = goneWith(block);
    goneParts.set(block, gone);
  }
  return index.unitsOf(gone);
}
