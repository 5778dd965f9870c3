import { isRecord } from '@varve/guards';
import { type Block, isThinking, type ProviderProfile, type ToolUseBlock } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { ContextError } from './error.ts';
import type { RepairNews } from './event.ts';
import { isBlock } from './is-block.ts';
import type { Reply } from './options.ts';

/** Whom the reply is sent back to. */
export interface Takers {
  readonly provider: ModelInfo['provider'];
  readonly profiles: readonly ProviderProfile[];
}

/** What was made good in a reply. */
export type ReplyRepair = Pick<RepairNews, 'reason' | 'count'>;

export interface SoundReply {
  readonly content: readonly Block[];
  readonly repairs: readonly ReplyRepair[];
}

/**
 * The blocks of a reply as they can be sent back: thinking that lost its signature is left out where the provider checks it,
 * calls get ids of their own and inputs that are objects. A reply was paid for, so what can be made good is.
 * Throws `malformed-reply` for what would have every later request refused.
 */
export function soundReply(reply: Reply, { provider, profiles }: Takers): SoundReply {
  if (!isRecord(reply)) throw malformed('It is no object with `content`.');
  const { content } = reply;
  if (!Array.isArray(content)) throw malformed('Its content is no list of blocks.');
  for (const [index, block] of content.entries()) {
    if (!isSound(block)) throw malformed(`Its block ${index} is not what the API gives.`);
  }
  const isKept = (block: Block) =>
    provider !== 'anthropic' || !isThinking(block) || block.signature !== '';
  const signed: readonly Block[] = content.filter(isKept);
  if (!profiles.some(({ callInput }) => callInput === 'object')) return withIds(signed, []);
  const inputs = signed.map(withObjectInput);
  const count = inputs.filter((block, index) => block !== signed[index]).length;
  return withIds(inputs, count > 0 ? [{ reason: 'call-inputs', count }] : []);
}

/** Calls without an id, or with one that an earlier call of the reply has, get another: results could not be told apart. */
function withIds(content: readonly Block[], repairs: readonly ReplyRepair[]): SoundReply {
  const known = new Set(content.flatMap((block) => (isCall(block) ? block.id : [])));
  const taken = new Set<string>();
  const sound = content.map((block) => {
    if (!isCall(block)) return block;
    const given = typeof block.id === 'string' ? block.id : '';
    const id = given !== '' && !taken.has(given) ? given : newId(given);
    taken.add(id);
    return id === block.id ? block : { ...block, id };
  });
  const count = sound.filter((block, index) => block !== content[index]).length;
  if (count === 0) return { content, repairs };
  return { content: sound, repairs: [...repairs, { reason: 'call-ids', count }] };

  function newId(id: string): string {
    const stem = id === '' ? 'call' : id;
    let number = 1;
    while (known.has(`${stem}_${number}`) || taken.has(`${stem}_${number}`)) number += 1;
    return `${stem}_${number}`;
  }
}

/** A call whose input is no object, as a stream that was cut short or another provider leaves it, in a form that any provider takes. */
export function withObjectInput<B extends Block>(block: B): B {
  if (!isCall(block) || isRecord(block.input)) return block;
  return { ...block, input: parsedObject(block.input) ?? { input: block.input ?? null } };
}

function parsedObject(input: unknown): unknown {
  if (typeof input !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined; // a text that is no JSON stays the text that it is
  }
}

const isCall = (block: Block): block is ToolUseBlock => block.type === 'tool_use';

function isSound(block: unknown): boolean {
  if (!isBlock(block)) return false;
  if (!isCall(block)) return true;
  return typeof block.name === 'string' && block.name !== '';
}

const malformed = (what: string): ContextError =>
  new ContextError('malformed-reply', `The reply cannot be sent back. ${what} Send it again.`);
