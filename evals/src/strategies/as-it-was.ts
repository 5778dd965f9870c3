import type { Message } from '@varve/messages';
import { createReference } from '../replay/reference.ts';
import { createRecordedViews } from '../session/recorded-views.ts';
import { requestFor } from './request-for.ts';

export const AS_IT_WAS = 'as-it-was';

/** Sends what the recorded agent sent, its own compactions and prunings included: what savings are stated against. */
const asItWas = createReference(AS_IT_WAS, {
  isRecorded: true,
  create(context, { thread, recording: { history, replies }, pricing: { profile } }) {
    const views = createRecordedViews({ thread, history, profile });
    let [requests, before]: [number, readonly Message[]] = [0, []];
    let edited: number | undefined;
    return {
      add: () => {},
      request() {
        const messages = views.before(history[replies[requests++] as number] as Message);
        const at = before.findIndex((message, index) => message !== messages[index]);
        edited = at === -1 ? undefined : at;
        before = messages;
        return requestFor(context, messages);
      },
      announced: () =>
        edited === undefined
          ? undefined
          : { from: edited, reason: 'recorded-edit', isCompaction: isSummary(before[edited]) },
    };
  },
});

const isSummary = (message: Message | undefined): boolean => message?.origin?.kind === 'summary';

export default asItWas;
