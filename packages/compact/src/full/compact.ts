import { aFunction, aSignal, aString, checkOptions, oneOf } from '@varve/guards';
import type { MessageLike, Usage } from '@varve/messages';
import type { CompactionReceipt, Trigger } from '../types.ts';
import { assemble } from './assemble.ts';
import type { Attach } from './attachments.ts';
import { runEngine } from './engine.ts';
import type { CompactFailure } from './failure.ts';
import { toMessages } from './plain-messages.ts';
import { plainSituation, type SituationOptions } from './plain-situation.ts';
import { type FullOptions, settingsOf } from './settings.ts';

export interface CompactOptions<M extends MessageLike> extends FullOptions, SituationOptions {
  /** Who asked: after an automatic compaction the model is told to go on by itself. @default 'manual' */
  readonly trigger?: Trigger | undefined;
  /** What the summary should pay attention to, in a person's words. */
  readonly focus?: string | undefined;
  /** Messages that follow what is kept: files, plans, announcements. Asked for once a summary stands. */
  readonly attach?: Attach<M> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type CompactResult<M extends MessageLike> =
  | {
      readonly kind: 'compacted';
      /** The summary, what is kept (the same objects), and what was attached. */
      readonly messages: readonly M[];
      readonly summary: string;
      readonly receipt: CompactionReceipt;
      /** The error because of which no model wrote it; `receipt.failure` names it. */
      readonly cause?: unknown;
    }
  | {
      readonly kind: 'failed';
      readonly reason: CompactFailure;
      readonly cause?: unknown;
      /** Calls of the model that were made. */
      readonly calls: number;
      /** What they cost. */
      readonly usage?: Usage;
      /** The array that was given. */
      readonly messages: readonly M[];
    };

/**
 * Replaces old messages by a summary that is checked against them. The newest request that is not done stays as it is, and
 * about `keepTokens` of the newest rounds. Never mutates; what fails leaves everything as it was and says why.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; nothing has changed then.
 * @throws CompactError `attach-threw`; RangeError and TypeError for options that make no sense.
 */
export async function compact<M extends MessageLike>(
  history: readonly M[],
  options: CompactOptions<M>,
): Promise<CompactResult<M>> {
  checkOptions<CompactOptions<M>>(options, OCCASION);
  const { trigger = 'manual', focus, signal } = options;
  const settings = settingsOf(options);
  const messages = toMessages(history);
  const situation = plainSituation(messages, options);
  const result = await runEngine(situation, settings, { trigger, focus, signal });
  if (result.kind === 'failed') return { ...result, messages: history };
  const reason = trigger === 'manual' ? 'manual' : 'over-threshold';
  return assemble(result, { history, messages, situation, options, reason, before: 0 });
}

/** What only the call itself says. */
export const OCCASION = {
  focus: aString,
  attach: aFunction,
  signal: aSignal,
  trigger: oneOf(['auto', 'manual']),
};
