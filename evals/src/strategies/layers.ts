import type { Marker, Request } from '@varve/messages';
import { createToolStorage, memoryStore, type ToolStorage } from '@varve/tool-storage';
import type { Strategy } from '../strategy.ts';
import { contextStrategy, createContextRun } from './context-strategy.ts';

/** A storage of one session, with the limits of `@varve/tool-storage`. */
export const createStorage = (): ToolStorage =>
  createToolStorage({ store: memoryStore(), sessionId: 'replay' });

/** What needs no model, as it comes: huge results are stored, old ones are cleared by the rent rule. */
const layers: Strategy = contextStrategy('layers', () => ({ storage: createStorage() }));

/**
 * The same, with markers of one hour on the head and on what stands before the newest edit: these tokens are
 * written once, at a higher price, and outlive pauses. Where there is no such lifetime it is `layers`.
 */
export const layersLong: Strategy = {
  name: 'layers+1h',
  create(context) {
    const { short, long } = context.policy.lifetimes;
    const run = createContextRun(context, () => ({ storage: createStorage() }));
    if (long === undefined || short.ms === null) return run;
    return { ...run, request: () => outlasting(run.request()) };
  },
};

/** Every marker but the one at the end of the prompt lasts an hour. */
function outlasting(request: Request): Request {
  const last = request.markers.length - 1;
  const markers = request.markers.map(
    (marker, at): Marker => (at < last ? { ...marker, ttl: '1h' } : marker),
  );
  return { ...request, markers };
}

export default layers;
