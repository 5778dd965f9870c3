import { isRecord } from '@varve/guards';
import { type CheckOptions, reportHistory } from './check-history.ts';
import { blocksOf, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import { isPaused } from './sound-reply.ts';
import type { Head, JsonObject, Marker } from './types.ts';
import { checkHead } from './validity-head.ts';
import { checkMarkers } from './validity-markers.ts';
import { checkSize } from './validity-size.ts';
import { unknownBlock } from './validity-user.ts';
import { createReport, type Report, type Violation } from './violation.ts';

/** The least a request has to be to be checked; `Request` fits. */
export interface RequestLike {
  readonly messages: readonly MessageLike[];
  /** Its model says whether it thinks without being told to. */
  readonly head?: Pick<Head, 'system' | 'tools' | 'params'> & { readonly model?: string };
  readonly server?: JsonObject | undefined;
  readonly markers?: readonly Marker[];
  /** Tokens. */
  readonly maxOutputTokens: number;
}

/**
 * Whether a request would be accepted: all of `checkHistory`, and what only a request has to keep: somebody to answer
 * (the last message is the user's, or results), head, cache markers and the output limit. Every violation, in the
 * order of the messages, those of the request as a whole first.
 */
export function checkRequest(
  request: RequestLike,
  profile: ProviderProfile,
  options: CheckOptions = {},
): readonly Violation[] {
  const { report, violations } = createReport();
  reportHistory(request.messages, profile, { ...options, report });
  checkLast(request.messages, profile, report);
  checkUserBlocks(request.messages, profile, report);
  const { maxOutputTokens } = request;
  if (!(Number.isInteger(maxOutputTokens) && maxOutputTokens > 0)) report('max-output-tokens');
  if (request.head) {
    const { head, server } = request;
    checkHead(head, { profile, report, maxOutputTokens, server });
  }
  checkMarkers(request, profile, report);
  checkSize(request, profile, report);
  return violations();
}

function checkUserBlocks(
  messages: readonly MessageLike[],
  profile: ProviderProfile,
  report: Report,
) {
  if (profile.userBlocks === undefined) return;
  for (const [messageIndex, message] of messages.entries()) {
    if (message.role !== 'user') continue;
    for (const [blockIndex, block] of blocksOf(message).entries()) {
      if (unknownBlock(block, profile) !== undefined)
        report('unknown-block', { messageIndex, blockIndex });
    }
  }
}

function checkLast(messages: readonly MessageLike[], profile: ProviderProfile, report: Report) {
  if (messages.length === 0) return report('no-messages');
  if (profile.prefill) return;
  const messageIndex = messages.findLastIndex((message) => message.role !== 'system');
  const last = messages[messageIndex];
  if (isRecord(last) && last.role === 'assistant' && !isPaused(last))
    report('last-not-user', { messageIndex });
}
