import type { Entry, Plan, PlanContext, Planner, View } from '@varve/messages';
import { stableStringify } from '@varve/messages';
import {
  type CacheEditDecision,
  decideCacheEdits,
  pinnedEdits,
  RESET_CACHE_EDITS,
} from './cache-edits.ts';
import type { Candidate, Candidates } from './candidate.ts';
import { createCandidateFold } from './candidates.ts';
import { checkOptions } from './check-options.ts';
import { toEdit } from './clear-block.ts';
import { decideClearing } from './decide-clearing.ts';
import { type ClearingRow, explainRows } from './explain.ts';
import { decideLegally, type LegalDecision } from './legal-clearing.ts';
import { candidateOptions, type MicrocompactOptions, mechanismsOf } from './options.ts';
import { type ClearingReceipt, clearingReceipt } from './receipt.ts';
import { besideOthers, contextManagement } from './server.ts';

/** What to append before the next request; what clears here carries its receipt, to be appended with the edit. */
export type ClearingPlan =
  | Extract<Plan, { readonly kind: 'none' }>
  | (Extract<Plan, { readonly kind: 'edit' }> & { readonly receipt?: ClearingReceipt });

/** A planner that clears what old results hold; its edits are `replace-content` and `server`. */
export interface Microcompact extends Planner {
  plan(context: PlanContext): ClearingPlan;
  frontier(): number | undefined;
  /** Every result of the view, with what the next plan would do with it and why. Changes nothing; looks at the view. */
  explain(context: PlanContext): readonly ClearingRow[];
  /** What decisions are made over. */
  readonly candidates: Candidates;
}

/**
 * Creates a planner for one thread. All it knows is in the log: fed a loaded log it decides as before, and a fork of the
 * log gets a planner of its own. `observe` reads nothing but edits; `plan` costs what is new, once something could be worth
 * clearing, and what could be cleared.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function createMicrocompact(options: MicrocompactOptions = {}): Microcompact {
  checkOptions(options);
  const candidates = createCandidateFold(candidateOptions(options));
  const decide = createDecider(options);
  let view: View = { messages: [], changedFrom: 0 };
  let queued: Candidate | undefined;
  return {
    candidates,
    observe(entry: Entry, next: View) {
      candidates.observe(entry, next);
      view = next;
    },
    plan(context) {
      if (options.server) return planServer(view, options);
      const decision = decide({ candidates, view, context });
      queued = decision.local.queued;
      return toPlan(decision, view, candidates);
    },
    frontier: () => (queued ?? candidates.oldest())?.messageIndex,
    explain(context) {
      const { local, edits } = decide({ candidates, view, context });
      const clear = edits?.kind === 'delete' ? edits.clear : local.clear;
      return explainRows(view.messages, candidates, {
        options,
        decision: { clear, reason: edits?.reason ?? local.reason },
      });
    },
  };
}

interface Situation {
  readonly candidates: Candidates;
  readonly view: View;
  readonly context: PlanContext;
}

interface Decided {
  readonly local: LegalDecision;
  /** Where deletions in the cache take the place of local clearing. */
  readonly edits?: CacheEditDecision;
}

type Decider = (situation: Situation) => Decided;

/** With deletions in the cache, only the clearing after a silence stays local, and goes first. */
function createDecider(options: MicrocompactOptions): Decider {
  const { experimental_cacheEdits: cacheEdits, isFork = false } = options;
  const mechanisms = mechanismsOf(options);
  if (!cacheEdits || isFork) {
    const decide = decideClearing(options, mechanisms);
    return ({ candidates, view: { messages }, context }) => ({
      local: decideLegally(decide, candidates, { context, messages }),
    });
  }
  const decide = decideClearing(
    options,
    mechanisms.filter((mechanism) => mechanism === 'time'),
  );
  return ({ candidates, view, context }) => {
    const { messages } = view;
    const local = decideLegally(decide, candidates, { context, messages });
    if (local.clear.length > 0) return { local };
    const pinned = pinnedEdits(view.server);
    const lastMessageId = messages.at(-1)?.sources.at(-1);
    return { local, edits: decideCacheEdits(candidates, { pinned, lastMessageId }, cacheEdits) };
  };
}

function toPlan({ local, edits }: Decided, view: View, candidates: Candidates): ClearingPlan {
  if (edits?.kind === 'delete') {
    const { clear, params, reason, expectedDropTokens } = edits;
    const receipt = clearingReceipt(
      { clear, drops: [] },
      { tokensBefore: candidates.totalTokens, expectedDropTokens },
    );
    return { kind: 'edit', edits: [{ kind: 'server', params }], reason, receipt };
  }
  const { reason } = local;
  if (local.clear.length === 0) return { kind: 'none', reason: edits?.reason ?? reason };
  const reset = { kind: 'server', params: RESET_CACHE_EDITS } as const;
  return {
    kind: 'edit',
    edits: [toEdit(local), ...(pinnedEdits(view.server).length > 0 ? [reset] : [])],
    reason,
    receipt: clearingReceipt(local, { tokensBefore: candidates.totalTokens }),
  };
}

/** Parameters change the request only once: they are in force until something else takes their place. */
function planServer({ server }: View, options: MicrocompactOptions): ClearingPlan {
  const params = besideOthers(contextManagement(options.server), server);
  const current = { context_management: server?.context_management };
  if (stableStringify(current) === stableStringify(params)) {
    return { kind: 'none', reason: 'server-side' };
  }
  return { kind: 'edit', edits: [{ kind: 'server', params }], reason: 'server-side' };
}
