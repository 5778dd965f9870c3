import type { Message } from '@varve/messages';
import type { Strategy } from '../strategy.ts';
import { createOffloading, type OffloadingOptions } from './offloading.ts';
import { requestFor } from './request-for.ts';

/** Reads are what the next edit needs as it is; the rest from 4,000 tokens on is mostly output that nobody looks at twice. */
export const OFFLOADING: OffloadingOptions = {
  fromTokens: 4_000,
  isExempt: (toolName) => /^(?:cat|open|read|view)/i.test(toolName),
};

/** Keeps everything, large results as previews from the beginning. */
const offload: Strategy = {
  name: 'offload',
  create(context) {
    const store = createOffloading(context, OFFLOADING);
    const messages: Message[] = [];
    return {
      add: (message) => void messages.push(store(message)),
      request: () => requestFor(context, messages),
    };
  },
};

export default offload;
