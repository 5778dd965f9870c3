import { type CheckOptions, checkHistory } from './check-history.ts';
import type { MessageLike } from './like.ts';
import { anthropicProfile, type ProviderProfile } from './profiles.ts';
import { repairBlocks } from './repair-blocks.ts';
import { type Draft, type Repair, type RepairContext, toDraft, toMessage } from './repair-draft.ts';
import { dropUnbound, repairOrder, withoutThinking } from './repair-order.ts';
import { repairPairs } from './repair-pairs.ts';
import { staleThinking } from './stale-thinking.ts';

export interface RepairOptions extends CheckOptions {
  /** @default Anthropic's rules, which are the strictest: what keeps them is valid everywhere. */
  readonly profile?: ProviderProfile | undefined;
}

export interface RepairResult<M> {
  readonly messages: readonly M[];
  /** Everything that was done, in the order of the history; empty exactly when `messages` is the array given. */
  readonly repairs: readonly Repair[];
}

/**
 * Makes a damaged history valid for a provider and says what it did. A valid history comes back as the same array,
 * and messages that need nothing as the same objects; a second repair does nothing. Real results are never made up,
 * and ids come from the history, never from chance. Thinking is left alone or dropped whole; with a `prefix-bound`
 * profile all thinking behind the first change goes. Only too many messages stay: that is for a compaction.
 */
export function repairHistory<M extends MessageLike>(
  messages: readonly M[],
  options: RepairOptions = {},
): RepairResult<M> {
  const { profile = STRICTEST, fingerprintAt } = options;
  if (checkHistory(messages, profile, { fingerprintAt }).length === 0) {
    return { messages, repairs: [] };
  }
  const repairs: Repair[] = [];
  const repaired: RepairContext['repaired'] = (kind, place) =>
    void repairs.push({ kind, ...place });
  const context = { profile, repaired };
  const usable = usableDrafts(messages, context);
  const bound = dropStale(usable, messages, { ...context, fingerprintAt });
  const settled = settle(repairPairs(bound, context), messages, context);
  if (repairs.length === 0) return { messages, repairs };
  return {
    messages: settled.map((draft) => toMessage(draft, messages)),
    repairs: inOrder(repairs),
  };
}

const STRICTEST = anthropicProfile({ thinking: 'latest-turn' });

const ROLES: readonly string[] = ['user', 'assistant', 'system'];

/** Messages that hold something in a known role; what they hold is mended one by one. */
function usableDrafts<M extends MessageLike>(
  messages: readonly M[],
  context: RepairContext,
): readonly Draft<M>[] {
  return messages.flatMap((message, messageIndex) => {
    if (ROLES.includes(message.role)) {
      const draft = repairBlocks(toDraft(message, messageIndex), context);
      if (draft.parts.length > 0) return draft;
    }
    context.repaired('dropped-message', { messageIndex });
    return [];
  });
}

/** A gap in the thinking is refused like a change before it, so all thinking behind the first stale block goes. */
function dropStale<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  messages: readonly M[],
  context: RepairContext & CheckOptions,
): readonly Draft<M>[] {
  const { profile, fingerprintAt } = context;
  if (profile.thinking !== 'prefix-bound' || !fingerprintAt) return drafts;
  const [first] = staleThinking(messages, fingerprintAt);
  if (!first) return drafts;
  return drafts.map((draft) =>
    draft.messageIndex < first.messageIndex ? draft : withoutThinking(draft, 0, context),
  );
}

/** Dropping thinking can leave messages empty, which is a change again: until nothing more happens. */
function settle<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  messages: readonly M[],
  context: RepairContext,
): readonly Draft<M>[] {
  let current = repairOrder(drafts, context);
  if (context.profile.thinking !== 'prefix-bound') return current;
  for (;;) {
    const bound = dropUnbound(current, messages, context);
    if (bound === current) return current;
    current = repairOrder(bound, context);
  }
}

const inOrder = (repairs: readonly Repair[]): readonly Repair[] =>
  repairs.toSorted(
    (a, b) => a.messageIndex - b.messageIndex || (a.blockIndex ?? -1) - (b.blockIndex ?? -1),
  );
