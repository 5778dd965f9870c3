import type { Marker, Request } from '@varve/messages';
import { COMPACTABLE_TOOLS, createMicrocompact, type Microcompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { createOffloading, type OffloadingOptions } from './offloading.ts';
import { createPlanned } from './planned.ts';

/** What `@varve/microcompact` does unasked, counted in the tokens of the model. */
function createPlanner({ model }: StrategyContext): Microcompact {
  const { block: sizeOf } = createEstimator({ family: model.tokenizer });
  return createMicrocompact({ sizeOf });
}

/** Clears by the rent rule, with its defaults. */
export const microcompactRent: Strategy = {
  name: 'microcompact-rent',
  create: (context) =>
    createPlanned(context, [{ by: 'microcompact', planner: createPlanner(context) }]),
};

/** Letters and digits of a tool's name: how `@varve/microcompact` compares them. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const CLEARED_LATER: ReadonlySet<string> = new Set(COMPACTABLE_TOOLS.map(bare));

/**
 * What can be had again is shown whole and cleared once it is old; what can not, and is large, is stored before it is shown:
 * it could never be cleared. About 50,000 characters, the default of `@varve/tool-storage`; from 4,000 tokens on it cost recall
 * and saved nothing.
 */
const OFFLOADING: OffloadingOptions = {
  fromTokens: 16_000,
  isExempt: (toolName) => CLEARED_LATER.has(bare(toolName)),
};

function createLayers(context: StrategyContext, planner: Microcompact): StrategyRun {
  const store = createOffloading(context, OFFLOADING);
  const run = createPlanned(context, [{ by: 'microcompact', planner }]);
  return { ...run, add: (message) => run.add(store(message)) };
}

/** The layers that need no model: what cannot be cleared later is stored, the rest is cleared by the rent rule. */
const layers: Strategy = {
  name: 'layers',
  create: (context) => createLayers(context, createPlanner(context)),
};

/**
 * The same, with markers of one hour on the head and on what stands before the place of the next edit: these tokens are
 * written once, at a higher price, and outlive pauses. Where there is no such lifetime it is `layers`.
 */
export const layersLong: Strategy = {
  name: 'layers+1h',
  create(context) {
    const { short, long } = context.policy.lifetimes;
    const planner = createPlanner(context);
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
