import { isRecord } from '@varve/guards';
import { type BlockLike, blocksOf, field, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Report } from './violation.ts';

interface ArmedCall {
  readonly messageIndex: number;
  readonly blockIndex: number;
  answered: boolean;
}

/**
 * Pairs calls with results: a message's calls arm its ids, a result consumes one. Only the last calling message is
 * armed, so ids may be used again in later turns.
 */
export function checkPairs(
  messages: readonly MessageLike[],
  profile: ProviderProfile,
  report: Report,
): void {
  let armed = new Map<string, ArmedCall>();
  let contentSeen = false;
  for (const [messageIndex, message] of messages.entries()) {
    if (message.role === 'user') {
      contentSeen = checkResults(message, messageIndex, { profile, report, armed, contentSeen });
      if (profile.results === 'next-turn') continue;
    }
    reportUnanswered(armed, report, false);
    armed = armCalls(message, messageIndex, report);
    contentSeen = false;
  }
  reportUnanswered(armed, report, armedAt(armed) === messages.length - 1);
}

interface ResultContext {
  readonly profile: ProviderProfile;
  readonly report: Report;
  readonly armed: ReadonlyMap<string, ArmedCall>;
  readonly contentSeen: boolean;
}

function checkResults(message: MessageLike, messageIndex: number, context: ResultContext): boolean {
  const { profile, report, armed } = context;
  let { contentSeen } = context;
  for (const [blockIndex, block] of blocksOf(message).entries()) {
    const id = pairId(block, 'tool_result', 'tool_use_id');
    if (id === undefined) {
      contentSeen = true;
      continue;
    }
    const call = armed.get(id);
    const place = { messageIndex, blockIndex };
    if (!call) report('orphan-result', place);
    else if (call.answered) report('duplicate-result', place);
    else call.answered = true;
    if (call && contentSeen && profile.resultsFirst) report('result-after-content', place);
  }
  return contentSeen;
}

function armCalls(message: MessageLike, messageIndex: number, report: Report) {
  const armed = new Map<string, ArmedCall>();
  if (message.role !== 'assistant') return armed;
  for (const [blockIndex, block] of blocksOf(message).entries()) {
    const id = pairId(block, 'tool_use', 'id');
    if (id === undefined) continue;
    if (armed.has(id)) report('duplicate-id', { messageIndex, blockIndex });
    else armed.set(id, { messageIndex, blockIndex, answered: false });
  }
  return armed;
}

function reportUnanswered(armed: ReadonlyMap<string, ArmedCall>, report: Report, open: boolean) {
  for (const { messageIndex, blockIndex, answered } of armed.values()) {
    if (!answered) report(open ? 'open-round' : 'missing-result', { messageIndex, blockIndex });
  }
}

const armedAt = (armed: ReadonlyMap<string, ArmedCall>): number | undefined =>
  armed.values().next().value?.messageIndex;

/** The id by which a block of `type` pairs; undefined for any other block and for one without such an id. */
export function pairId(
  block: BlockLike,
  type: 'tool_use' | 'tool_result',
  name: string,
): string | undefined {
  if (!isRecord(block) || block.type !== type) return undefined;
  const id = field(block, name);
  return typeof id === 'string' ? id : undefined;
}
