import { isRecord } from '@varve/guards';
import type { Block, Message } from '@varve/messages';
import { blocksOf, type MessageLike, readPlain } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';
import { isAtUserTurn } from '@varve/messages/thinking';
import type { Candidate, Candidates } from './candidate.ts';
import { candidatesOf } from './candidates.ts';
import { checkOptions, checkSituation } from './check-options.ts';
import { savedTokens, toEdit } from './clear-block.ts';
import { decideClearing } from './decide-clearing.ts';
import { type ClearingRow, explainRows } from './explain.ts';
import { decideLegally, type LegalDecision } from './legal-clearing.ts';
import { candidateOptions, type MicrocompactOptions, mechanismsOf } from './options.ts';
import { planContext, type SituationOptions } from './plain-context.ts';
import { type ClearingReceipt, clearingReceipt } from './receipt.ts';

/** Any message. Content may be missing, because a system message of Anthropic's beta API may have none. */
export type HistoryMessage = Pick<MessageLike, 'role'> & Partial<Pick<MessageLike, 'content'>>;

export interface MicrocompactResult<M extends HistoryMessage> {
  /** The same array where nothing was cleared, and the same messages and blocks where nothing changed in them. */
  readonly messages: readonly M[];
  readonly cleared: readonly ClearedBlock[];
  /** Tokens that the next request is smaller by, as estimated. */
  readonly savedTokens: number;
  /** Why so much, or nothing, was cleared; kebab-case. */
  readonly reason: string;
  /** What a read cache has to forget, and what a log would record. */
  readonly receipt: ClearingReceipt;
}

/** Something whose content is gone. Thinking that had to go with it is counted in `receipt.droppedThinking`. */
export interface ClearedBlock {
  readonly kind: Candidate['kind'];
  readonly messageIndex: number;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly path?: string;
  readonly tokens: number;
}

/**
 * Clears what old tool results hold if that is worth it now, on a plain history. Never mutates; calls, ids and order stay.
 * Messages are sized once in their lives; a call costs one look at each. Pass the history that comes back to the next
 * call, or keep a planner (`createMicrocompact`), which costs what is new only.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function microcompact<M extends HistoryMessage>(
  messages: readonly M[],
  options: MicrocompactOptions & SituationOptions = {},
): MicrocompactResult<M> {
  const { candidates, decision } = decidePlain(messages, options);
  const changed = applyDecision(messages, decision);
  return {
    messages: changed,
    cleared: decision.clear.map(toCleared),
    savedTokens: savedTokens(decision),
    reason: decision.reason,
    receipt: clearingReceipt(decision, { tokensBefore: candidates.totalTokens }),
  };
}

/** A dry run: every tool result of a history, and what `microcompact` would do with it and why. */
export function explainClearing(
  messages: readonly HistoryMessage[],
  options: MicrocompactOptions & SituationOptions = {},
): readonly ClearingRow[] {
  const { candidates, decision, history } = decidePlain(messages, options);
  return explainRows(history, candidates, { options, decision });
}

interface Decided {
  readonly history: readonly Message[];
  readonly candidates: Candidates;
  readonly decision: LegalDecision;
}

/** Throws `not-serializable` of `MessagesError` where a message holds what no request can carry. */
const decidePlain = (
  messages: readonly HistoryMessage[],
  options: MicrocompactOptions & SituationOptions,
): Decided => {
  checkOptions(options);
  checkSituation(options);
  return readPlain(messages, () => decideReadable(messages, options));
};

function decideReadable(
  messages: readonly HistoryMessage[],
  options: MicrocompactOptions & SituationOptions,
): Decided {
  checkMessages(messages, 'messages');
  const history = messages.map(toMessage);
  const { lastReplyMs } = options;
  const folded = candidatesOf(history, candidateOptions(options));
  const candidates: Candidates =
    lastReplyMs === undefined
      ? folded
      : Object.create(folded, { lastAssistantAtMs: { value: lastReplyMs } });
  const context = planContext(candidates, isAtUserTurn(messages.map(withContent)), options);
  const decide = decideClearing(options, mechanismsOf(options));
  const decision = decideLegally(decide, candidates, { context, messages: history });
  return { history, candidates, decision };
}

/** A message of a log, with what it says of its origin; its id is its position. */
function toMessage(message: HistoryMessage, index: number): Message {
  const { role, content = '' } = message;
  const { origin } = message as Pick<Message, 'origin'>;
  const blocks = blocksOf({ role, content }) as readonly Block[];
  return {
    id: String(index),
    role: role as Message['role'],
    content: blocks,
    ...(isRecord(origin) && { origin }),
  };
}

const withContent = (message: HistoryMessage) => ({ ...message, content: message.content ?? '' });

function applyDecision<M extends HistoryMessage>(
  messages: readonly M[],
  decision: LegalDecision,
): readonly M[] {
  if (decision.clear.length === 0) return messages;
  const edit = toEdit(decision);
  const changes = new Map<number, Map<number, Block | null>>();
  for (const { messageId, index, block } of edit.blocks) {
    const at = Number(messageId);
    const blocks = changes.get(at) ?? new Map<number, Block | null>();
    changes.set(at, blocks.set(index, block));
  }
  const next = messages.slice();
  for (const [at, blocks] of changes) next[at] = withBlocks(messages[at] as M, blocks);
  return next;
}

function withBlocks<M extends HistoryMessage>(
  message: M,
  blocks: ReadonlyMap<number, Block | null>,
): M {
  const content = (message.content as readonly Block[]).flatMap((block, index) => {
    const replacement = blocks.get(index);
    return replacement === null ? [] : [replacement ?? block];
  });
  return { ...message, content };
}

function toCleared({
  kind,
  messageIndex,
  toolUseId,
  toolName,
  path,
  tokens,
}: Candidate): ClearedBlock {
  return { kind, messageIndex, toolUseId, toolName, ...(path !== undefined && { path }), tokens };
}
