import { checkOptions, integer, oneOf, required } from '@varve/guards';
import type { MessageLike } from '@varve/messages';
import { assemble } from '../full/assemble.ts';
import { type CompactOptions, type CompactResult, OCCASION } from '../full/compact.ts';
import { toMessages } from '../full/plain-messages.ts';
import { plainSituation } from '../full/plain-situation.ts';
import { settingsOf } from '../full/settings.ts';
import { runPartialEngine } from './run.ts';
import type { PartialDirection } from './split.ts';

export interface PartialOptions<M extends MessageLike> extends CompactOptions<M> {
  /**
   * `from`: the pivot and what follows is summarised, and what comes before keeps its bytes and its cache; `up-to`: what
   * comes before the pivot is summarised, and the rest stays (the cached prefix is lost).
   */
  readonly direction: PartialDirection;
  /** Position of the pivot; the nearest legal cut before it is taken. */
  readonly pivot: number;
}

/**
 * Compacts one side of a plain history around a message. Requests that are not done stay, in the part that is summarised
 * as well; messages that stay are the same objects.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; nothing has changed then.
 * @throws RangeError and TypeError for options that make no sense.
 */
export async function compactPartially<M extends MessageLike>(
  history: readonly M[],
  options: PartialOptions<M>,
): Promise<CompactResult<M>> {
  checkOptions<PartialOptions<M>>(options, {
    ...OCCASION,
    direction: required(oneOf(['up-to', 'from'])),
    pivot: required(integer(0)),
  });
  const { direction, pivot, trigger = 'manual', focus, signal } = options;
  const messages = toMessages(history);
  const whole = plainSituation(messages, options);
  const settings = settingsOf(options);
  const occasion = { trigger, focus, signal };
  const result = await runPartialEngine(whole, { direction, pivot }, { settings, occasion });
  if (result.kind === 'failed') return { ...result, messages: history };
  const { done, situation, before } = result;
  const reason = `partial-${direction}`;
  return assemble(done, {
    ...{ history, messages, situation, options, reason },
    before: before.length,
  });
}
