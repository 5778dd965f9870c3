import { EmulatorError } from '../error.ts';
import type { Replies, ReplyLike } from './reply.ts';

export interface ScriptOptions {
  /**
   * What comes after the last reply: it is given again, the first one follows, or the request fails with 500.
   * @default 'fail'
   */
  readonly then?: 'fail' | 'repeat-last' | 'start-over' | undefined;
}

/** Replies from a list, one for each request in their order. Throws `script-ended` when there are no more. */
export function script(replies: readonly ReplyLike[], options: ScriptOptions = {}): Replies {
  const { then = 'fail' } = options;
  let next = 0;
  return () => {
    const index = next++;
    const reply = replies[place(index, replies.length, then)];
    if (reply !== undefined) return reply;
    throw new EmulatorError(
      'script-ended',
      `The script has ${replies.length} replies and one more was asked for. Add one, or say what comes \`then\`.`,
    );
  };
}

function place(index: number, length: number, then: NonNullable<ScriptOptions['then']>): number {
  if (then === 'repeat-last') return Math.min(index, length - 1);
  return then === 'start-over' && length > 0 ? index % length : index;
}
