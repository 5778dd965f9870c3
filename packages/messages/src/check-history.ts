import { isRecord } from '@varve/guards';
import { blocksOf, isThinkingLike, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import { staleThinking } from './stale-thinking.ts';
import { checkBlock } from './validity-blocks.ts';
import { checkPairs } from './validity-pairs.ts';
import { createReport, type Report, type Violation, type ViolationCode } from './violation.ts';

export interface CheckOptions {
  /**
   * The running fingerprint after `messageCount` messages: `(count) => prefixFingerprint(view, count)`. With it, a
   * `prefix-bound` profile compares the stamp of every message that carries thinking; without it, it cannot.
   */
  readonly fingerprintAt?: ((messageCount: number) => string | undefined) | undefined;
}

/**
 * Whether a history can be continued: every rule it breaks, in the order of the messages, none when it is valid. The
 * last message may be anybody's, but no call may wait for its result. One pass over the messages; NUL characters and
 * block types without a name here are accepted; never throws on JSON.
 */
export function checkHistory(
  messages: readonly MessageLike[],
  profile: ProviderProfile,
  options: CheckOptions = {},
): readonly Violation[] {
  const { report, violations } = createReport();
  reportHistory(messages, profile, { ...options, report });
  return violations();
}

export function reportHistory(
  messages: readonly MessageLike[],
  profile: ProviderProfile,
  { report, fingerprintAt }: CheckOptions & { readonly report: Report },
): void {
  if (messages.length > (profile.maxMessages ?? Infinity)) report('too-many-messages');
  for (const [messageIndex, message] of messages.entries()) {
    checkContent(message, messageIndex, { profile, report });
    const code = roleViolation(messages, messageIndex, profile);
    if (code) report(code, { messageIndex });
    if (profile.trailingThinking === 'refused') checkTrailing(messages, messageIndex, report);
  }
  checkPairs(messages, profile, report);
  if (profile.thinking === 'prefix-bound' && fingerprintAt) {
    for (const place of staleThinking(messages, fingerprintAt)) report('stale-thinking', place);
  }
}

interface Context {
  readonly profile: ProviderProfile;
  readonly report: Report;
}

function checkContent(message: MessageLike, messageIndex: number, context: Context): void {
  const content: unknown = message.content;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    context.report('malformed-message', { messageIndex });
  } else if (content.length === 0) {
    context.report('empty-content', { messageIndex });
  } else {
    for (const [blockIndex, block] of blocksOf(message).entries()) {
      const report: Report = (code) => context.report(code, { messageIndex, blockIndex });
      checkBlock(block, { ...context, report, role: message.role });
    }
  }
}

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'];

function roleViolation(
  messages: readonly MessageLike[],
  messageIndex: number,
  profile: ProviderProfile,
): ViolationCode | undefined {
  const message = messages[messageIndex] as MessageLike;
  if (!ROLES.includes(message.role)) return 'unknown-role';
  if (message.role !== 'system') {
    const misplaced = messageIndex === 0 && profile.startsWithUser && !mayStart(message);
    return misplaced ? 'first-not-user' : undefined;
  }
  if (profile.systemMessages === 'refused') return 'role-refused';
  if (profile.systemMessages === 'anywhere') return undefined;
  const before = messages[messageIndex - 1]?.role;
  const after = messages[messageIndex + 1]?.role;
  const placed = (before === 'user' || before === 'system') && after !== 'user';
  return placed ? undefined : 'system-placement';
}

/** A server-side compaction may stand first although an assistant message holds it. */
export function mayStart(message: MessageLike): boolean {
  if (message.role === 'user') return true;
  const first: unknown = blocksOf(message)[0];
  return message.role === 'assistant' && isRecord(first) && first.type === 'compaction';
}

/** Consecutive assistant messages are one turn to the provider, so only the last block of the last one counts. */
function checkTrailing(
  messages: readonly MessageLike[],
  messageIndex: number,
  report: Report,
): void {
  const message = messages[messageIndex] as MessageLike;
  if (message.role !== 'assistant' || messages[messageIndex + 1]?.role === 'assistant') return;
  const blocks = blocksOf(message);
  const blockIndex = blocks.length - 1;
  if (isThinkingLike(blocks[blockIndex])) report('trailing-thinking', { messageIndex, blockIndex });
}
