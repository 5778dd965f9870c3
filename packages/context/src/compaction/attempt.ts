import type {
  Compaction,
  CompactionFailed,
  CompactionWork,
  RestoredFile,
  RunProviderCompaction,
} from '@varve/compact';
import {
  type CompactionSteps,
  type createCompactionPipeline,
  settleAttempts,
} from '@varve/compact/pipeline';
import type { Json, JsonObject, PlanContext } from '@varve/messages';
import type { Keeper } from '../keeper.ts';
import { usageNote } from '../usage.ts';
import type { Commitment } from './commit.ts';
import type { CompactionOutcome } from './context-compaction.ts';
import type { CompactionPlanners } from './planners.ts';
import type { Attaching } from './restore-after-compaction.ts';
import type { createWays, NotesEdit } from './ways.ts';

type CompactionStart = Parameters<CompactionPipeline['run']>[0];

type CompactionPipeline = ReturnType<typeof createCompactionPipeline>;

export interface AttemptOptions {
  readonly keeper: Keeper;
  readonly pipeline: CompactionPipeline;
  readonly ways: ReturnType<typeof createWays>;
  readonly attaching: Attaching;
  readonly commit: (given: Commitment) => Promise<Compaction | CompactionFailed>;
  readonly threadId: string;
  readonly planners: Pick<CompactionPlanners, 'compactor' | 'bill'>;
  readonly at: () => string;
}

export interface Wanted {
  readonly work: CompactionWork;
  readonly path: 'full' | 'partial' | 'reactive';
  /** What stands in for a summary, if it can. */
  readonly notes: NotesEdit | undefined;
  /** Compacts in place of a summary, if it can. */
  readonly byProvider: RunProviderCompaction | undefined;
  readonly context: PlanContext;
  readonly signal: AbortSignal | undefined;
}

/**
 * One attempt to compact, from the note that it began to the edit or the note that end it.
 *
 * @throws the signal's reason, an `AbortError` unless one was given: the conversation is as it was.
 */
export function createAttempt(options: AttemptOptions) {
  const { keeper, at } = options;
  const { bill } = options.planners;
  return async function attempt(wanted: Wanted): Promise<CompactionOutcome> {
    const { trigger } = wanted.work;
    const id = keeper.layered.nextId('compaction');
    const note = (data: JsonObject) => keeper.append({ type: 'note', by: 'compact', data }, at());
    const end = (facts: JsonObject) => note({ kind: 'compaction-ended', attempt: id, ...facts });
    note({ kind: 'compaction-started', attempt: id, path: pathOf(wanted) });
    bill.begin();
    let outcome: CompactionOutcome;
    try {
      await keeper.write(); // all of the conversation, before any of it is replaced
      outcome = await run(wanted, id, options);
    } catch (cause) {
      end({ outcome: 'aborted', ...bill.get() });
      await keeper.write().catch(() => undefined); // it is written with the next call
      throw cause;
    }
    if (outcome.kind === 'failed') end({ ...factsOf(outcome), trigger });
    await keeper.write();
    return outcome;
  };
}

function factsOf({ reason, calls, usage }: CompactionFailed): JsonObject {
  const bill = usage as unknown as Json;
  return { outcome: 'failed', reason, ...(calls && { calls }), ...(usage && { usage: bill }) };
}

const pathOf = ({ notes, byProvider, path }: Wanted): string => {
  if (notes) return 'session-memory';
  return byProvider ? 'provider' : path;
};

/** Notes first, then the provider; a summary where neither can. */
async function run(
  wanted: Wanted,
  id: string,
  options: AttemptOptions,
): Promise<CompactionOutcome> {
  const { notes, byProvider, work } = wanted;
  const { fromNotes, byEngine } = options.ways;
  const { run: byModel } = options.planners.compactor;
  if (notes) {
    const make: Make = (given) => fromNotes(notes, { ...given, idPrefix: id });
    const outcome = await through(wanted, { id, make, path: 'session-memory' }, options);
    if (outcome.kind === 'compacted') return outcome;
  }
  if (byProvider) {
    const make: Make = (given) => byEngine(byProvider, work, { ...given, idPrefix: id });
    const outcome = await through(wanted, { id, make, path: 'provider' }, options);
    if (outcome.kind === 'compacted') return outcome;
    noteBill(outcome, wanted, options);
  }
  const make: Make = ({ instructions: focus, ...given }) =>
    byEngine(byModel, { ...work, focus }, { ...given, idPrefix: id });
  return through(wanted, { id, make, path: wanted.path }, options);
}

/** A compaction of the provider that is not used was billed all the same. */
function noteBill(
  { usage, calls }: CompactionFailed,
  { work }: Wanted,
  { keeper, at }: AttemptOptions,
): void {
  if (usage === undefined) return;
  const data = usageNote({ by: 'compact', model: work.situation.head.model, usage, calls });
  keeper.append({ type: 'note', by: 'compact', data }, at());
}

type Make = (given: {
  readonly instructions?: string;
  readonly signal: AbortSignal | undefined;
  readonly onRestored: (files: readonly RestoredFile[]) => void;
}) => Promise<Compaction | CompactionFailed>;

interface Way {
  readonly id: string;
  readonly path: string;
  readonly make: Make;
}

async function through(
  { work, context, signal }: Wanted,
  { id, path, make }: Way,
  { pipeline, attaching, commit, threadId }: AttemptOptions,
): Promise<CompactionOutcome> {
  const { trigger, reason, focus: instructions } = work;
  const sizes = { threadId, tokensBefore: context.contextTokens };
  const start: CompactionStart = { trigger, path, reason, instructions, ...sizes };
  let restored: readonly RestoredFile[] = [];
  const onRestored = (files: readonly RestoredFile[]) => {
    restored = files;
  };
  const steps: CompactionSteps<Compaction> = {
    compact: (given) => make({ signal, ...given, onRestored }),
    async commit(compaction, { sessionContext }) {
      const { roomTokens } = compaction;
      const told = await attaching.ofHooks(sessionContext, { idPrefix: id, roomTokens });
      const attempt = { attempt: id, basis: work, restored, signal };
      return commit({ ...attempt, compaction, sessionContext: told });
    },
  };
  const result = await pipeline.run(start, steps, { signal });
  if (result.kind === 'failed') return result; // with its bill, where the model was called
  const { summary, receipt } = result;
  return { kind: 'compacted', summary, receipt };
}

/** Ends the attempts of a process that died, in the log of a conversation that goes on. */
export function endInterrupted(keeper: Keeper, at: string): void {
  for (const data of settleAttempts(keeper.entries)) {
    keeper.append({ type: 'note', by: 'compact', data: { ...data } }, at);
  }
}
