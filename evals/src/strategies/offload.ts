import { toolKind } from '@varve/messages/tools';
import type { Strategy } from '../strategy.ts';
import keepAll from './keep-all.ts';
import { behindStorage } from './offloading.ts';

/**
 * Keeps everything, results from 4,000 tokens on as previews from the beginning, but for reads: these are what the next
 * edit needs as it is. The threshold that a replay of 20 recorded sessions found best.
 */
const offload: Strategy = {
  name: 'offload',
  create: (context) =>
    behindStorage(context, keepAll.create, {
      threshold: { chars: Number.POSITIVE_INFINITY, tokens: 4_000 },
      thresholdOf: (toolName) =>
        toolKind(toolName) === 'read' ? Number.POSITIVE_INFINITY : undefined,
    }),
};

export default offload;
