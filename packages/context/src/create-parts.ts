import { createSnip } from '@varve/compact';
import { createFold } from '@varve/compact/fold';
import type { Block, Message, PlanContext, Request } from '@varve/messages';
import { createHistoryFit } from '@varve/messages/fit';
import { placeMarkers } from '@varve/prompt-cache';
import { redactJson } from '@varve/redact';
import { createAdding } from './adding.ts';
import { createCacheWatch, type MarkerTtl } from './cache-watch.ts';
import { createCleanUp, startPlatformTimer } from './clean-up.ts';
import { endInterrupted } from './compaction/attempt.ts';
import { createCollapseLayer } from './compaction/collapse-layer.ts';
import { type Compacting, createCompacting } from './compaction/compacting.ts';
import { createPlanners } from './compaction/planners.ts';
import { createRecovering } from './compaction/recovering.ts';
import { clearingLayers } from './default-layers.ts';
import { createDiagnoses } from './diagnosis.ts';
import { createStaleThinkingDropper } from './drop-stale-thinking.ts';
import { createEditing } from './editing.ts';
import type { Tell } from './event.ts';
import { createHeads } from './head.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import { createMemoryFold, createMemoryLayer, withRules } from './memory.ts';
import { createModelFacts, type ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';
import { createOtherProvider } from './other-provider.ts';
import { createLimits, createPlanContext } from './plan-context.ts';
import { doorsOf } from './redact-entry.ts';
import { createRoom } from './room-for.ts';
import { createSending, type FitHistory, outputTokens, requestOf } from './sending.ts';
import { type AddedUsage, createUsageSum, usageNote } from './usage.ts';

export type ContextParts = ReturnType<typeof createParts>;

/** What a context is made of. */
export function createParts(given: ContextOptions) {
  const options = withRules(given, given.memory);
  const { storage, compaction, entries: earlier = [], cleanUp = [], stableTtl } = options;
  const factsOf = createModelFacts(options);
  /** Of the model that the next request goes to. */
  const facts = (): ModelFacts => factsOf(keeper.layered.view().head?.model ?? options.model);
  const basics = { ...basicsOf(options), facts, factsOf };
  const { at, tell } = basics;
  const parkedAt = () => keeper.layered.parkedAt();
  const redact = options.redact !== false;
  const doors = doorsOf(options.redact);
  const { enter } = doors;
  const fitHistory = createHistoryFit(({ reason, count }) => {
    if (keeper.isLive()) tell({ layer: 'context', kind: 'repaired', reason, count });
  });
  const mark = createMark({
    ...{ ...basics, parkedAt, fitHistory },
    stableTtl: () => cache.stableTtl(basics.now()),
  });
  const textSize = (text: string) => facts().textSize(text);
  const planning = { mark, textSize, redact, enter, models: basics.models };
  const planners = compaction && createPlanners({ ...planning, compaction });
  const addBill = (bill: AddedUsage) => {
    keeper.append({ type: 'note', by: bill.by, data: usageNote(bill) }, at());
  };
  const collapse = compaction && createCollapseLayer({ ...planning, compaction, addBill });
  const sizeOf = (block: Block) => facts().blockSize(block);
  const { layers: clearing = clearingLayers(sizeOf, { storage, clearBy: options.clearBy }) } =
    options;
  const snip = options.snip && { name: 'snip', planner: createSnip(options.snip) };
  const handleOf = storage?.handleOf;
  const fold = options.fold && { name: 'fold', planner: createFold({ handleOf, ...options.fold }) };
  const layers = [collapse ?? [], snip ?? [], clearing, fold ?? []].flat();
  const usage = createUsageSum(options);
  const diagnoses = createDiagnoses();
  const memoryFold = options.memory && createMemoryFold();
  const cache = createCacheWatch({
    ...basics,
    stableTtl,
    requestOf: (view, { policy, profiles, ...bounds }, ttl) =>
      requestOf(view, parkedAt(), {
        ...{ policy, profiles, fitHistory, stableTtl: ttl },
        maxOutputTokens: outputTokens(view, 0, bounds),
      }),
    isLive: () => keeper.isLive(),
  });
  const keeper: Keeper = createKeeper({
    ...options,
    estimator: factsOf(options.model).estimator,
    doors,
    layers,
    observe(entry, view) {
      usage.observe(entry);
      diagnoses.observe(entry);
      memoryFold?.observe(entry);
      cache.observe(entry, view);
      otherProvider.observe(entry);
      thinking.observe(entry, view);
      planners?.observe(entry, view);
    },
    tell,
  });
  const thinking = createStaleThinkingDropper({ ...basics, keeper });
  const otherProvider = createOtherProvider({ ...basics, keeper });
  const makeSendable = (): void => {
    otherProvider.repair();
    thinking.drop();
  };
  const thread = () => threadOf(compaction);
  const { startTimer = startPlatformTimer } = compaction ?? {};
  const resets = options.memory ? [...cleanUp, () => memory?.cleanUp()] : cleanUp;
  const runCleanUp = createCleanUp({ cleanUp: resets, startTimer, tell });
  for (const entry of earlier) keeper.replay(entry);
  const shared = { ...basics, keeper, makeSendable };
  const limitsOf = createLimits({ percent: compaction?.percent });
  const sending = createSending({
    ...{ ...shared, cache, fitHistory },
    windowUse: () => room.window(),
    canCompact: compaction !== undefined,
    situation: createPlanContext(limitsOf),
    compact: async (signal) => compacting?.beforeRequest(signal) ?? false,
    cleanUp({ by, reason }, signal) {
      const tokensAfter = keeper.meter.size().tokens;
      return runCleanUp({ by, reason, thread: thread(), restoredFiles: [], tokensAfter }, signal);
    },
  });
  const heads = createHeads({ keeper, options, factsOf, at, enter });
  heads.bring();
  const memory =
    options.memory &&
    memoryFold &&
    createMemoryLayer({
      ...{ option: options.memory, fold: memoryFold, keeper, thread, addBill },
      ...{ models: basics.models, now: basics.now, at, tell },
    });
  const { planContext } = sending;
  const compacting: Compacting | undefined =
    compaction &&
    planners &&
    createCompacting({
      ...{ ...shared, storage, compaction, planners, planContext, thread, runCleanUp, enter },
    });
  const { view } = keeper.layered;
  const effectiveTokens = () => limitsOf(facts()).effectiveTokens;
  const promptTokens = () => keeper.meter.size().tokens;
  const room = createRoom({ facts, view, effectiveTokens, promptTokens });
  const commitStaged =
    collapse && (() => sending.commit(collapse.name, collapse.recover(planContext())));
  const recovery = { keeper, commitStaged, originals: compaction?.originals };
  if (compacting) endInterrupted(keeper, at());
  let stopReading = () => {};
  const readSent = (): void => {
    try {
      sending.readSent();
    } catch {
      // it is said where the answer needs it
    }
  };
  return {
    ...{ keeper, sending, compacting, at, heads, addBill, memory },
    limits: (): PlanContext['limits'] => limitsOf(facts()),
    adding: createAdding({ keeper, storage, room, facts, at, tell, enter }),
    editing: createEditing({ ...shared, cleanUp: runCleanUp, thread }),
    recovering:
      compacting && compaction?.reactive !== false
        ? createRecovering({ ...basics, ...recovery, compacting })
        : undefined,
    /** A model has it now, so there is time. */
    requestMade() {
      planners?.readSoon();
      stopReading();
      stopReading = startPlatformTimer(0, readSent);
    },
    rest() {
      stopReading();
      planners?.rest();
    },
    afterReply(message: Message) {
      tellNotes(compaction, keeper);
      memory?.afterReply(message);
    },
    usage: () =>
      usage.total({ cache: cache.measures(), split: cache.bill(), diagnoses: diagnoses.get() }),
  };
}

function basicsOf({ now = Date.now, onEvent, models, redact }: ContextOptions) {
  const shown = <Event>(event: Event): Event => (redact === false ? event : redactJson(event));
  const tell: Tell = (event) => {
    if (onEvent) tellSafely(onEvent, () => shown(event));
  };
  const at = () => new Date(now()).toISOString();
  return { models, now, tell, at };
}

/** Writes the request for a summary as the provider takes it, with the markers of the conversation's own. */
function createMark({ facts, parkedAt, fitHistory, stableTtl }: MarkOptions) {
  return (request: Request): Request => {
    const { policy, profiles } = facts();
    const messages = fitHistory(request.messages, profiles);
    const places = { policy, parkedAt: parkedAt(), stableTtl: stableTtl() };
    return placeMarkers({ ...request, messages }, places);
  };
}

/** Of a sub-agent only its own state is cleaned up. */
function threadOf(compaction: ContextOptions['compaction']): 'main' | 'sub-agent' {
  try {
    return compaction?.switches?.().source === 'sub-agent' ? 'sub-agent' : 'main';
  } catch {
    return 'main'; // what asking them threw is said where it decides something
  }
}

interface MarkOptions {
  readonly facts: () => ModelFacts;
  readonly parkedAt: () => readonly number[];
  readonly fitHistory: FitHistory;
  readonly stableTtl: () => MarkerTtl;
}

/** Notes are taken in the background; nothing about them reaches the turn. */
function tellNotes(compaction: ContextOptions['compaction'], { layered, meter }: Keeper): void {
  try {
    const view = layered.view();
    compaction?.notes?.memory.afterResponse({ contextTokens: meter.size().tokens, view });
  } catch {
    // whoever takes notes says so
  }
}

/** A listener that throws, or rejects where it is asynchronous, is its own affair. */
function tellSafely<Event>(listen: (event: Event) => unknown, shown: () => Event): void {
  try {
    Promise.resolve(listen(shown())).catch(() => undefined);
  } catch {
    // said above
  }
}
