import { createMicrocompact } from '@varve/microcompact';
import type { Strategy } from '../strategy.ts';
import { contextStrategy } from './context-strategy.ts';

/** Clears after an hour of silence, with the defaults of the mechanism. */
export const microcompactTime: Strategy = contextStrategy('microcompact-time', () => ({
  layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: ['time'] }) }],
}));

/** Clears as soon as enough of large results can go, with the defaults of the mechanism. */
export const microcompactCount: Strategy = contextStrategy('microcompact-count', () => ({
  layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: ['count'] }) }],
}));

/** Clears by the rent rule, with its defaults: a context without any option. */
export const microcompactRent: Strategy = contextStrategy('microcompact-rent', () => ({}));
