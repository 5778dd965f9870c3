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
import { type ClearingRow, explainRows } from './explain.ts';
import { decideLegally, type LegalDecision } from './legal.ts';
import {
  candidateOptions,
  createDecide,
  type MicrocompactOptions,
  mechanismsOf,
} from './options.ts';
import { type ClearingReceipt, clearingReceipt } from './receipt.ts';
import { contextManagement } from './server.ts';

/** A planner that clears what old results hold; its edits are `replace-content` and `server`. */
export interface Microcompact extends Planner {
  plan(context: PlanContext): Plan;
  frontier(): number | undefined;
  /** What belongs beside the edits of a plan of this planner; undefined when it clears nothing here. */
  receipt(plan: Plan): ClearingReceipt | undefined;
  /** Every result of the view, with what the next plan would do with it and why. Changes nothing; looks at the view. */
  explain(context: PlanContext): readonly ClearingRow[];
  /** What decisions are made over. */
  readonly candidates: Candidates;
}

/**
 * Creates a planner for one thread. All it knows is in the log: fed a loaded log it decides as before, and a fork of the
 * log gets a planner of its own. `observe` costs what is new, `plan` what could be cleared.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function createMicrocompact(options: MicrocompactOptions = {}): Microcompact {
  checkOptions(options);
  const candidates = createCandidateFold(candidateOptions(options));
  const receipts = new WeakMap<Plan, ClearingReceipt>();
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
      const bare = toPlan(decision, view);
      const receipt = receiptOf(decision, candidates);
      if (!receipt || bare.kind !== 'edit') return bare;
      const plan = { ...bare, receipt };
      receipts.set(plan, receipt);
      return plan;
    },
    frontier: () => (queued ?? candidates.list[0])?.messageIndex,
    receipt: (plan) => receipts.get(plan),
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
    const decide = createDecide(options, mechanisms);
    return ({ candidates, context }) => ({ local: decideLegally(decide, candidates, context) });
  }
  const decide = createDecide(
    options,
    mechanisms.filter((mechanism) => mechanism === 'time'),
  );
  return ({ candidates, view, context }) => {
    const local = decideLegally(decide, candidates, context);
    if (local.clear.length > 0) return { local };
    const pinned = pinnedEdits(view.server);
    const lastMessageId = view.messages.at(-1)?.sources.at(-1);
    return { local, edits: decideCacheEdits(candidates, { pinned, lastMessageId }, cacheEdits) };
  };
}

function toPlan({ local, edits }: Decided, view: View): Plan {
  if (edits?.kind === 'delete') {
    return {
      kind: 'edit',
      edits: [{ kind: 'server', params: edits.params }],
      reason: edits.reason,
    };
  }
  if (local.clear.length === 0) return { kind: 'none', reason: edits?.reason ?? local.reason };
  const reset = pinnedEdits(view.server).length > 0;
  return {
    kind: 'edit',
    edits: [
      toEdit(local),
      ...(reset ? [{ kind: 'server', params: RESET_CACHE_EDITS } as const] : []),
    ],
    reason: local.reason,
  };
}

function receiptOf({ local, edits }: Decided, candidates: Candidates): ClearingReceipt | undefined {
  const tokensBefore = candidates.totalTokens;
  if (edits?.kind === 'delete') {
    const { clear, expectedDropTokens } = edits;
    return clearingReceipt({ clear, drops: [] }, { tokensBefore, expectedDropTokens });
  }
  return local.clear.length === 0 ? undefined : clearingReceipt(local, { tokensBefore });
}

/** Parameters change the request only once: they are in force until something else takes their place. */
function planServer({ server }: View, options: MicrocompactOptions): Plan {
  const params = contextManagement(options.server);
  const current = { context_management: server?.context_management };
  if (stableStringify(current) === stableStringify(params)) {
    return { kind: 'none', reason: 'server-side' };
  }
  return { kind: 'edit', edits: [{ kind: 'server', params }], reason: 'server-side' };
}
