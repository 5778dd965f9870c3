import type { Marker, Request } from '@varve/messages';
import { createMicrocompact, type Microcompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { behindStorage } from './offloading.ts';
import { createPlanned } from './planned.ts';

/** What `@varve/microcompact` does unasked, counted in the tokens of the model. */
export function createRentPlanner({ model }: StrategyContext): Microcompact {
  const { block: sizeOf } = createEstimator({ family: model.tokenizer });
  return createMicrocompact({ sizeOf });
}

/** Clears by the rent rule, with its defaults. */
export const microcompactRent: Strategy = {
  name: 'microcompact-rent',
  create: (context) =>
    createPlanned(context, [{ name: 'microcompact', planner: createRentPlanner(context) }]),
};

function createLayers(context: StrategyContext, planner: Microcompact): StrategyRun {
  const create = (behind: StrategyContext): StrategyRun =>
    createPlanned(behind, [{ name: 'microcompact', planner }]);
  return behindStorage(context, create);
}

/** The layers that need no model, as they come: huge results are stored, old ones are cleared by the rent rule. */
const layers: Strategy = {
  name: 'layers',
  create: (context) => createLayers(context, createRentPlanner(context)),
};

/**
 * The same, with markers of one hour on the head and on what stands before the place of the next edit: these tokens are
 * written once, at a higher price, and outlive pauses. Where there is no such lifetime it is `layers`.
 */
export const layersLong: Strategy = {
  name: 'layers+1h',
  create(context) {
    const { short, long } = context.policy.lifetimes;
    const planner = createRentPlanner(context);
    const run = createLayers(context, planner);
    if (long === undefined || short.ms === null) return run;
    return { ...run, request: () => outlasting(run.request(), planner.frontier() ?? 0) };
  },
};

/** Markers before a message last an hour, the one at the end of the prompt never. */
function outlasting(request: Request, before: number): Request {
  const last = request.markers.length - 1;
  const markers = request.markers.map((marker, at): Marker => {
    const isStable = marker.at !== 'message' || marker.messageIndex < before;
    return isStable && at < last ? { ...marker, ttl: '1h' } : marker;
  });
  return { ...request, markers };
}

export default layers;
