import { contextStrategy } from '@varve/evals';
import { createToolStorage, memoryStore } from '@varve/tool-storage';

/** What a context with these options would have sent: results from 20,000 characters on are stored, nothing is cleared. */
export default contextStrategy('stored', () => ({
  layers: [],
  storage: createToolStorage({
    store: memoryStore(),
    sessionId: 'session',
    threshold: { chars: 20_000, tokens: 8_000 },
  }),
}));
