import { createMicrocompact, type MicrocompactOptions } from '@varve/microcompact';
import type { Strategy } from '../strategy.ts';
import { contextStrategy } from './context-strategy.ts';

/** The planner of `@varve/microcompact` under one of its mechanisms alone. */
const underOne = (
  name: string,
  mechanism: NonNullable<MicrocompactOptions['mechanisms']>[number],
): Strategy =>
  contextStrategy(name, () => ({
    layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: [mechanism] }) }],
  }));

/** Clears after an hour of silence, with the defaults of the mechanism. */
export const microcompactTime: Strategy = underOne('microcompact-time', 'time');

/** Clears as soon as enough of large results can go, with the defaults of the mechanism. */
export const microcompactCount: Strategy = underOne('microcompact-count', 'count');

/** Clears by the rent rule, with its defaults: a context without any option. */
export const microcompactRent: Strategy = contextStrategy('microcompact-rent', () => ({}));
