import type { Message } from '@varve/messages';
import type { Strategy } from '../strategy.ts';
import { requestFor } from './request-for.ts';

/** Keeps everything behind a clock in the system prompt, so that nothing after it is ever read from the cache. */
const volatilePrefix: Strategy = {
  name: 'volatile-prefix',
  create(context) {
    const messages: Message[] = [];
    return {
      add: (message) => void messages.push(message),
      request() {
        const request = requestFor(context, messages);
        const clock = {
          type: 'text',
          text: `Now: ${new Date(context.now()).toISOString()}`,
        } as const;
        const system = [clock, ...request.head.system];
        return { ...request, head: { ...request.head, system } };
      },
    };
  },
};

export default volatilePrefix;
