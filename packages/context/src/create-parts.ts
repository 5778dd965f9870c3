import { placeMarkers } from '@varve/prompt-cache';
import { contextWindow, createEstimator, resolveModel } from '@varve/tokens';
import { createAdding } from './adding.ts';
import { endInterrupted } from './compaction/attempt.ts';
import { type Compacting, createCompacting } from './compaction/compacting.ts';
import { createPlanners } from './compaction/planners.ts';
import { createRecovering } from './compaction/recovering.ts';
import { defaultLayers } from './default-layers.ts';
import type { Tell } from './event.ts';
import { bringHead } from './head.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import type { ContextOptions } from './options.ts';
import { createSending } from './sending.ts';
import { createSituation, policyOf } from './situation.ts';

export type ContextParts = ReturnType<typeof createParts>;

/** What a context is made of. */
export function createParts(options: ContextOptions) {
  const { storage, compaction, entries: earlier = [] } = options;
  const basics = basicsOf(options);
  const { model, at, tell } = basics;
  const parkedAt = () => keeper.layered.parkedAt();
  const planners = compaction && plannersOf(compaction, { ...basics, parkedAt });
  const { layers = defaultLayers(model, { storage }) } = options;
  const keeper: Keeper = createKeeper({
    ...options,
    layers,
    observe: planners?.observe,
    tell,
  });
  const sending = createSending({
    ...basics,
    keeper,
    situation: createSituation({ ...basics, percent: compaction?.percent }),
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

function basicsOf({ model: id, models, now = Date.now, onEvent, ...given }: ContextOptions) {
  const { model } = resolveModel(id, { models });
  const { tokens: windowTokens, rule } = contextWindow(id, { models });
  const knownWindowTokens = rule === 'default' ? Number.POSITIVE_INFINITY : windowTokens;
  const { maxOutputTokens = model.maxOutputTokens ?? OUTPUT_TOKENS } = given;
  const { policy = policyOf(model) } = given;
  const { text: textSize, message: sizeOf } = createEstimator({ family: model.tokenizer });
  const tell: Tell = (event) => tellSafely(onEvent, event);
  const at = () => new Date(now()).toISOString();
  const limits = { maxOutputTokens, windowTokens, knownWindowTokens };
  return { id, model, models, now, ...limits, policy, textSize, sizeOf, tell, at };
}

/** Asked for where nobody knows what a model can reply, in tokens. */
const OUTPUT_TOKENS = 32_000;

function plannersOf(
  compaction: NonNullable<ContextOptions['compaction']>,
  { policy, models, textSize, parkedAt }: Basics & { readonly parkedAt: () => readonly number[] },
) {
  const mark: Parameters<typeof createPlanners>[0]['mark'] = (request) =>
    placeMarkers(request, { policy, parkedAt: parkedAt() });
  return createPlanners({ compaction, mark, models, textSize });
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
