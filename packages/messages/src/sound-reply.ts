import { isRecord } from '@varve/guards';
import { createFreeNames, withServerIds } from './call-ids.ts';
import { withObjectInput } from './call-input.ts';
import { isText, isThinking, isThought, isToolUse } from './guards.ts';
import { blocksOf, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Block } from './types.ts';
import { isAllowed, isComplete } from './validity-blocks.ts';
import { hasHalfSurrogate } from './well-formed.ts';

/**
 * What was made good in a reply, and in how many blocks: inputs of calls that were no objects; ids that were empty or not
 * unique; thinking that holds half a surrogate pair, which is signed as it is and which no provider takes, or that has no signature
 * at all; blocks that are none, a call without a name among them, which were left out.
 */
export interface ReplyRepair {
  readonly reason: 'blocks' | 'call-inputs' | 'call-ids' | 'half-thoughts';
  readonly count: number;
}

export interface SoundReply {
  /** The same list where nothing had to change; empty where nothing of the reply can be sent back. */
  readonly content: readonly Block[];
  readonly repairs: readonly ReplyRepair[];
}

/**
 * The blocks of a model's reply as a later request can carry them. Left out: what is no block of a reply, blank text, thinking without a signature where
 * every provider checks it, thinking with half a surrogate pair, and thinking at the end. Calls, those that the provider ran
 * included, get inputs that are objects, where a provider wants them, and the caller's ids of their own. Where thinking is bound to the exact conversation, what stands behind a changed block goes too.
 */
export function soundReply(
  content: readonly Block[],
  profiles: readonly ProviderProfile[],
): SoundReply {
  const wantsObjects = profiles.some(({ callInput }) => callInput === 'object');
  const wantsSignatures = profiles.every(({ unsignedThinking }) => unsignedThinking === 'refused');
  const binds = profiles.some(({ thinking }) => thinking === 'prefix-bound');
  const ids = freeIds(content.filter(isUsable));
  const named = withServerIds(content, { plain: false });
  const counts = { blocks: 0, 'call-inputs': 0, 'call-ids': 0, 'half-thoughts': 0 };
  const sound: Block[] = [];
  let isChanged = false;
  for (const [at, block] of named.entries()) {
    if (!isUsable(block)) {
      counts.blocks += 1;
      isChanged = true;
      continue;
    }
    if (isThought(block)) {
      const isHalf = hasHalfSurrogate(block) || !isComplete(block) || lacksSignature(block);
      if (isHalf) counts['half-thoughts'] += 1;
      const isUnsigned = isThinking(block) && block.signature === '' && wantsSignatures;
      if (isHalf || isUnsigned) isChanged = true;
      else if (!(isChanged && binds)) sound.push(block);
      continue;
    }
    if (block !== content[at]) counts['call-ids'] += 1;
    const mended = mend(block);
    if (mended !== content[at]) isChanged = true;
    if (mended !== undefined) sound.push(mended);
  }
  const end = sound.findLastIndex((block) => !isThought(block)) + 1;
  const isSame = end === content.length && content.every((block, index) => block === sound[index]);
  const repairs = REASONS.map((reason) => ({ reason, count: counts[reason] })).filter(
    ({ count }) => count > 0,
  );
  return { content: isSame ? content : sound.slice(0, end), repairs };

  function mend(block: Block): Block | undefined {
    if (isText(block)) return block.text.trim() === '' ? undefined : block;
    const withInput = wantsObjects ? withObjectInput(block) : block;
    if (!isToolUse(block)) {
      if (withInput !== block) counts['call-inputs'] += 1;
      return withInput;
    }
    const id = ids(block.id);
    if (withInput !== block) counts['call-inputs'] += 1;
    if (id === block.id) return withInput;
    counts['call-ids'] += 1;
    return { ...withInput, id };
  }
}

/** Whether a reply can hold it at all; what is wrong with ids, inputs and thinking is another matter. */
function isUsable(block: unknown): block is Block {
  if (!isRecord(block) || typeof block.type !== 'string' || block.type === '') return false;
  const { type, text, name } = block;
  if (type === 'text') return typeof text === 'string';
  if (type === 'tool_use') return typeof name === 'string' && name !== '';
  return isAllowed(type, 'assistant');
}

const lacksSignature = (block: Block): boolean =>
  block.type === 'thinking' && typeof block.signature !== 'string';

/**
 * Whether a reply was paused while the provider ran a tool: it goes back as the last message, and the model goes on with
 * it. By its stop reason, and without one by a call of the provider's at its end.
 */
export function isPaused(message: MessageLike): boolean {
  if (message.role !== 'assistant') return false;
  const { response, stop_reason: plain } = message as PausedLike;
  const reason = response?.stopReason ?? plain;
  if (typeof reason === 'string') return reason === 'pause_turn';
  return blocksOf(message).at(-1)?.type === 'server_tool_use';
}

interface PausedLike {
  readonly response?: { readonly stopReason?: unknown };
  readonly stop_reason?: unknown;
}

const REASONS = ['blocks', 'call-inputs', 'call-ids', 'half-thoughts'] as const;

/** Gives each call the id it has, or another where that is empty, no text, or what an earlier call has. */
function freeIds(content: readonly Block[]): (id: unknown) => string {
  const names = createFreeNames(content.filter(isToolUse).map(({ id }) => id));
  const given = new Set<string>();
  return (wanted) => {
    const id = typeof wanted === 'string' ? wanted : '';
    const free = id === '' || given.has(id) ? names.numbered(id || 'call', '_', 1) : id;
    given.add(free);
    names.take(free);
    return free;
  };
}
