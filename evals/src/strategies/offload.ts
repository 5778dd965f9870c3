import { toolKind } from '@varve/messages/tools';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import type { Strategy } from '../strategy.ts';
import { contextStrategy } from './context-strategy.ts';

/**
 * Keeps everything, results from 4,000 tokens on as previews from the beginning, but for reads: these are what the next
 * edit needs as it is. The threshold that a replay of 20 recorded sessions found best.
 */
const offload: Strategy = contextStrategy('offload', () => ({
  layers: [],
  storage: createToolStorage({
    ...{ store: memoryStore(), sessionId: 'replay' },
    threshold: { chars: Number.POSITIVE_INFINITY, tokens: 4_000 },
    thresholdOf: (toolName) =>
      toolKind(toolName) === 'read' ? Number.POSITIVE_INFINITY : undefined,
  }),
}));

export default offload;
