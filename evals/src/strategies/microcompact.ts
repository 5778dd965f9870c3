import { createMicrocompact } from '@varve/microcompact';
import type { Strategy } from '../strategy.ts';
import { createPlanned } from './planned.ts';

/** The planner of `@varve/microcompact` under one of its mechanisms alone. */
const createStrategy = (
  name: string,
  options: NonNullable<Parameters<typeof createMicrocompact>[0]>,
): Strategy => ({
  name,
  create: (context) =>
    createPlanned(context, [{ name: 'microcompact', planner: createMicrocompact(options) }]),
});

/** Clears after an hour of silence, with the defaults of the mechanism. */
export const microcompactTime: Strategy = createStrategy('microcompact-time', {
  mechanisms: ['time'],
});

/** Clears as soon as enough of large results can go, with the defaults of the mechanism. */
export const microcompactCount: Strategy = createStrategy('microcompact-count', {
  mechanisms: ['count'],
});
