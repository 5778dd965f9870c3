import { createToolStorage, memoryStore, type ToolStorage } from '@varve/tool-storage';
import type { Strategy } from '../strategy.ts';
import { contextStrategy } from './context-strategy.ts';

/** A storage of one session, with the limits of `@varve/tool-storage`. */
export const createStorage = (): ToolStorage =>
  createToolStorage({ store: memoryStore(), sessionId: 'replay' });

/** What needs no model, as it comes: huge results are stored, old ones are cleared by the rent rule. */
const layers: Strategy = contextStrategy('layers', () => ({ storage: createStorage() }));

/**
 * The same, with markers of one hour on the head and on what stands before the newest edit. Where there is no such lifetime it
 * is `layers`.
 */
export const layersLong: Strategy = contextStrategy('layers+1h', () => ({
  storage: createStorage(),
  stableTtl: '1h',
}));

/** The layers, and behind them a fold of what they leave: old small calls become one line each. */
export const layersFold: Strategy = contextStrategy('layers+fold', () => ({
  storage: createStorage(),
  fold: {},
}));

/** The layers, with the rent rule by predicted need. */
export const layersNeed: Strategy = contextStrategy('layers+need', () => ({
  storage: createStorage(),
  clearBy: 'need',
}));

/** Both. */
export const layersNeedFold: Strategy = contextStrategy('layers+need+fold', () => ({
  storage: createStorage(),
  clearBy: 'need',
  fold: {},
}));

export default layers;
