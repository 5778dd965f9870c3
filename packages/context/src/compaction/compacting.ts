import type { AutoSwitches, CompactionFailed, CompactionWork } from '@varve/compact';
import { createCompactionPipeline } from '@varve/compact/pipeline';
import type { Message, Plan, PlanContext } from '@varve/messages';
import type { ToolStorage } from '@varve/tool-storage';
import type { CleanUpOccasion } from '../clean-up.ts';
import type { Tell } from '../event.ts';
import type { Keeper } from '../keeper.ts';
import type { ModelFacts } from '../model-facts.ts';
import type { Enter } from '../redact-entry.ts';
import { mostPromptTokens } from '../room-for.ts';
import { createAttempt, type Wanted } from './attempt.ts';
import { createCommit } from './commit.ts';
import type {
  CompactionOutcome,
  CompactNowOptions,
  ContextCompaction,
  NowOptions,
} from './context-compaction.ts';
import type { CompactionPlanners } from './planners.ts';
import { createAttaching } from './restore-after-compaction.ts';
import { createWays, type NotesEdit } from './ways.ts';

export interface CompactingOptions {
  readonly compaction: ContextCompaction;
  readonly planners: CompactionPlanners;
  readonly keeper: Keeper;
  readonly planContext: () => PlanContext;
  readonly facts: () => ModelFacts;
  /** Makes the edits without which the provider would refuse the next request, the summary's included. */
  readonly makeSendable: () => void;
  /** What of the conversation is stored outside of it. */
  readonly storage: ToolStorage | undefined;
  /** Of a sub-agent only its own state is cleaned up. */
  readonly thread: () => 'main' | 'sub-agent';
  readonly runCleanUp: (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
  readonly at: () => string;
  readonly tell: Tell;
  readonly enter: Enter;
}

/** When a conversation is compacted, and by whom. Each rejects with the reason of an abort, or with `not-written`. */
export interface Compacting {
  /** Compacts where the next request would reach the threshold, and says whether it did. A failure is an event. */
  beforeRequest(signal: AbortSignal | undefined): Promise<boolean>;
  byHand(options: CompactNowOptions): Promise<CompactionOutcome>;
  /** Because a request was refused as too long: what does not fit the summary's request stays in the conversation. */
  refused(reason: string, signal: AbortSignal | undefined): Promise<CompactionOutcome>;
  /** Whether requests may be made smaller without being asked. */
  isAutomatic(): boolean;
}

export function createCompacting(options: CompactingOptions): Compacting {
  const { compaction, planners, planContext } = options;
  const { decideNow, pause } = createDecisions(options);
  const attempt = createAttemptOf(options);
  const fits = () => options.keeper.meter.size().tokens <= mostPromptTokens(options.facts());

  async function tryNow(now: NowOptions, { path, signal, standIns }: Trying) {
    options.makeSendable();
    const context = planContext();
    const plan = planNow(planners, context, now);
    const outcome =
      plan.kind === 'work'
        ? await attempt({
            ...{ work: plan.work, path, context, signal },
            notes: standIns ? notesFor(context) : undefined,
            byProvider: standIns ? planners.byProvider : undefined,
          })
        : ({ ...plan, kind: 'failed' } as const);
    if (outcome.kind === 'failed') options.tell({ layer: 'compact', ...outcome });
    return outcome;

    function notesFor(given: PlanContext): NotesEdit | undefined {
      const notes = planners.planNotes(given, now.trigger);
      if (notes?.kind !== 'none') return notes;
      options.tell({ layer: 'session-memory', kind: 'idle', reason: notes.reason });
      return undefined;
    }
  }

  return {
    async beforeRequest(signal) {
      const decision = decideNow();
      if (decision === 'no-headroom') await pause();
      // what gained little before is better than a request that cannot go out
      const isDue = decision === 'compact' || (decision === 'no-headroom' && !fits());
      if (!isDue) return false;
      const now = { trigger: 'auto', reason: 'over-threshold' } as const;
      const outcome = await tryNow(now, { path: 'full', signal, standIns: true });
      return outcome.kind === 'compacted';
    },
    async byHand({ focus: given, direction, pivot, signal }) {
      signal?.throwIfAborted();
      if (switchesOf(compaction)?.enabled === false) return { kind: 'failed', reason: 'disabled' };
      const focus = options.enter(given);
      const isWhole = direction === undefined && pivot === undefined;
      const standIns = isWhole && (focus ?? '').trim() === '';
      const path = isWhole ? 'full' : 'partial';
      return tryNow({ trigger: 'manual', focus, direction, pivot }, { path, signal, standIns });
    },
    refused(reason, signal) {
      const now = { trigger: 'auto', reason, tooLong: 'peel' } as const;
      return tryNow(now, { path: 'reactive', signal, standIns: false });
    },
    isAutomatic() {
      const switches = switchesOf(compaction);
      return switches !== undefined && switches.enabled !== false && switches.auto !== false;
    },
  };
}

/** Undefined where asking them threw: then nothing is done unasked. */
function switchesOf({ switches }: ContextCompaction): AutoSwitches | undefined {
  try {
    return switches?.() ?? {};
  } catch {
    return undefined;
  }
}

interface Trying extends Pick<Wanted, 'path' | 'signal'> {
  /** Whether notes, or the provider, may stand in for a summary. */
  readonly standIns: boolean;
}

/** What is to be done, or why an attempt is not worth beginning. */
function planNow(
  { compactor, broken }: CompactionPlanners,
  context: PlanContext,
  now: NowOptions,
): Plan<CompactionWork> | CompactionFailed {
  const unfit = broken();
  if (unfit) return { kind: 'failed', reason: 'observe-threw', ...unfit };
  try {
    return compactor.planNow(context, now);
  } catch (cause) {
    return { kind: 'failed', reason: 'plan-threw', cause };
  }
}

function createAttemptOf(options: CompactingOptions) {
  const { compaction, planners, keeper, planContext, facts, at, tell } = options;
  const textSize = (text: string) => facts().textSize(text);
  const sizeOf = (message: Message) => facts().sizeOf(message);
  const { hooks, hookTimeoutMs, startTimer, restore, cleanUp = {}, threadId = 'main' } = compaction;
  const profiles = () => facts().profiles;
  const { storage } = options;
  const attaching = createAttaching({ restore, textSize, sizeOf, profiles, storage, tell });
  const { view } = keeper.layered;
  const { minSavings = 0.1, notes } = compaction;
  const notesSavings = notes?.minSavings ?? minSavings;
  const ways = createWays({ attaching, view, planContext, notesSavings });
  const { thread, runCleanUp } = options;
  const commit = createCommit({ keeper, cleanUp, runCleanUp, thread, sizeOf, at, tell });
  const pipeline = createCompactionPipeline({
    ...{ hooks, hookTimeoutMs, startTimer },
    onEvent: (event) => tell({ layer: 'compact', kind: 'progress', event }),
  });
  return createAttempt({ keeper, pipeline, ways, attaching, commit, threadId, planners, at });
}

function createDecisions({ planners, keeper, planContext, at, tell }: CompactingOptions) {
  const { compactor } = planners;
  return {
    /** Says why not, where it is not; a caller's switches that throw count as a no. */
    decideNow(): string {
      try {
        const broken = planners.broken();
        if (broken) throw broken.cause;
        const decision = compactor.decide(planContext());
        if (decision.kind === 'compact') return 'compact';
        tell({ layer: 'compact', kind: 'idle', reason: decision.reason });
        return decision.reason;
      } catch (cause) {
        const reason = planners.broken() ? 'observe-threw' : 'plan-threw';
        tell({ layer: 'compact', kind: 'failed', reason, cause });
        return reason;
      }
    },

    /** Once a turn; the note keeps it from being said again. */
    async pause(): Promise<void> {
      if (compactor.breaker().paused) return;
      const producers = compactor.producers(planContext().sizeOf);
      tell({ layer: 'compact', kind: 'paused', reason: 'no-headroom', producers });
      const data = { kind: 'compaction-paused' };
      keeper.append({ type: 'note', by: 'compact', data }, at());
      await keeper.write();
    },
  };
}
