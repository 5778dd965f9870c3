import type { Context } from '@varve/context';
import type { Producer } from './producers.ts';

/** Of what fits before a compaction; above it the model is told, and again once it was much less. */
const [FULL, MUCH_LESS] = [0.85, 0.5];
const LAST_REQUESTS = 2;

/** How much room is left: in the window, and of the requests of a run. */
export function budget(context: () => Pick<Context, 'size' | 'limits'>): Producer {
  let isTold = false;
  return {
    name: 'budget',
    collect({ prompt, turn, limits }) {
      if (prompt !== undefined) return [];
      const left = (limits.turns ?? Number.POSITIVE_INFINITY) - turn + 1;
      const ofRun =
        turn > 1 && left === LAST_REQUESTS
          ? [
              {
                text: `This run ends after ${LAST_REQUESTS} more answers. Finish what matters, and let the last one say what is done and what is not.`,
              },
            ]
          : [];
      const { tokens } = context().size();
      const most = context().limits().autocompactTokens;
      const isFull = tokens > FULL * most && tokens < most; // above, it comes at once
      if (tokens < MUCH_LESS * most) isTold = false;
      if (!isFull || isTold) return ofRun;
      const text = `${most - tokens} tokens are left before the conversation so far is summarised. Work goes on after that. What has to be known word for word then, write down now, in a file or in an answer.`;
      return [...ofRun, { text, told: () => (isTold = true) }];
    },
  };
}
