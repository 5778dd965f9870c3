import { createMicrocompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { OFFLOADING } from './offload.ts';
import { createOffloading } from './offloading.ts';
import { createPlanned } from './planned.ts';

/** What `@varve/microcompact` does unasked, counted in the tokens of the model. */
function createRent(context: StrategyContext) {
  const { block: sizeOf } = createEstimator({ family: context.model.tokenizer });
  return createPlanned(context, [{ by: 'microcompact', planner: createMicrocompact({ sizeOf }) }]);
}

/** Clears by the rent rule, with its defaults. */
export const microcompactRent: Strategy = { name: 'microcompact-rent', create: createRent };

/** The layers that need no model: large results as previews from the beginning, then clearing by the rent rule. */
const layers: Strategy = {
  name: 'layers',
  create(context) {
    const store = createOffloading(context, OFFLOADING);
    const run = createRent(context);
    return { ...run, add: (message) => run.add(store(message)) };
  },
};

export default layers;
