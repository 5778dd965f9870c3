import type { Message } from '@varve/messages';
import type { Strategy } from '../strategy.ts';
import { requestFor } from './request-for.ts';

/** Sends everything, always: what every other strategy is compared with. */
const keepAll: Strategy = {
  name: 'keep-all',
  create(context) {
    const messages: Message[] = [];
    return {
      add: (message) => void messages.push(message),
      request: () => requestFor(context, messages),
    };
  },
};

export default keepAll;
