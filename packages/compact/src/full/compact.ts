import { checkOptions, integer } from '@varve/guards';
import type { MessageLike } from '@varve/messages/blocks';
import { aroundOf, type PartialDirection, reasonOf } from '../partial/split.ts';
import { summarize } from '../partial/summarize-part.ts';
import type { CompactionFailed, CompactionReceipt, Trigger } from '../types.ts';
import { assemble } from './assemble.ts';
import type { Attach } from './attachments.ts';
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
  /**
   * Compacts one side of the history only. `from`: the message at `pivot` and what follows is summarised, and what comes before
   * keeps its bytes and its cache; `up-to`: what comes before it is summarised, and the rest stays (the cached prefix is lost).
   * @default all of it but `keepTokens`
   */
  readonly direction?: PartialDirection | undefined;
  /** Position of a message, for `direction`; the nearest legal cut before it is taken. */
  readonly pivot?: number | undefined;
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
  | (CompactionFailed<CompactFailure> & {
      /** The array that was given. */
      readonly messages: readonly M[];
    });

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
  checkOptions<CompactOptions<M>>(options, EXPECTED);
  const { trigger = 'manual', focus, signal } = options;
  const settings = settingsOf(options);
  const messages = toMessages(history);
  const situation = plainSituation(messages, options);
  const around = aroundOf(options);
  const result = await summarize(situation, settings, { trigger, focus, signal, around });
  if (result.kind === 'failed') return { ...result, messages: history };
  return assemble(result, { history, messages, options, reason: reasonOf(trigger, around) });
}

/** What only the call itself says. */
const EXPECTED = {
  focus: 'a text',
  attach: 'a function',
  signal: 'an AbortSignal',
  trigger: ['auto', 'manual'],
  direction: ['from', 'up-to'],
  pivot: integer(0),
} as const;
