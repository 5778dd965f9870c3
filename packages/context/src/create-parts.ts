import type { Block } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { createAdding } from './adding.ts';
import { endInterrupted } from './compaction/attempt.ts';
import { type Compacting, createCompacting } from './compaction/compacting.ts';
import { createPlanners } from './compaction/planners.ts';
import { createRecovering } from './compaction/recovering.ts';
import { clearingLayers } from './default-layers.ts';
import type { Tell } from './event.ts';
import { bringHead } from './head.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import { createModelFacts, type ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';
import { createSending } from './sending.ts';
import { createSituation } from './situation.ts';

export type ContextParts = ReturnType<typeof createParts>;

/** What a context is made of. */
export function createParts(options: ContextOptions) {
  const { storage, compaction, entries: earlier = [] } = options;
  const factsOf = createModelFacts(options);
  /** Of the model that the next request goes to. */
  const facts = (): ModelFacts => factsOf(keeper.layered.view().head?.model ?? options.model);
  const basics = { ...basicsOf(options), facts };
  const { at, tell } = basics;
  const parkedAt = () => keeper.layered.parkedAt();
  const planners = compaction && plannersOf(compaction, { ...basics, parkedAt });
  const sizeOf = (block: Block) => facts().blockSize(block);
  const { layers = clearingLayers(sizeOf, { storage }) } = options;
  const keeper: Keeper = createKeeper({
    ...options,
    layers,
    observe: planners?.observe,
    tell,
  });
  const sending = createSending({
    ...basics,
    keeper,
    situation: createSituation({ percent: compaction?.percent }),
    compact: async (signal) => compacting?.beforeRequest(signal) ?? false,
    earlier,
  });
  bringHead(keeper, { options, at: at() });
  const { planContext } = sending;
  const compacting: Compacting | undefined =
    compaction &&
    planners &&
    createCompacting({ ...basics, compaction, planners, keeper, planContext });
  if (compacting) endInterrupted(keeper, at());
  return {
    ...{ keeper, sending, compacting, at },
    adding: createAdding({ keeper, storage, at, tell }),
    recovering: compacting && createRecovering({ ...basics, keeper, compacting }),
    afterReply: () => tellNotes(compaction, keeper),
  };
}

type Basics = ReturnType<typeof basicsOf>;

function basicsOf({ now = Date.now, onEvent, models }: ContextOptions) {
  const tell: Tell = (event) => tellSafely(onEvent, event);
  const at = () => new Date(now()).toISOString();
  return { models, now, tell, at };
}

function plannersOf(
  compaction: NonNullable<ContextOptions['compaction']>,
  { facts, models, parkedAt }: PlannerBasics,
) {
  const mark: Parameters<typeof createPlanners>[0]['mark'] = (request) =>
    placeMarkers(request, { policy: facts().policy, parkedAt: parkedAt() });
  const textSize = (text: string) => facts().textSize(text);
  return createPlanners({ compaction, mark, models, textSize });
}

interface PlannerBasics extends Basics {
  readonly facts: () => ModelFacts;
  readonly parkedAt: () => readonly number[];
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
function tellSafely<Event>(listen: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    Promise.resolve(listen?.(event)).catch(() => undefined);
  } catch {
    // said above
  }
}
