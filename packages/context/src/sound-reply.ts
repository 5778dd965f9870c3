import { type Block, isThinking, isToolUse } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { ContextError } from './error.ts';
import { isBlock, isObject } from './is-block.ts';
import type { Reply } from './options.ts';

type Provider = ModelInfo['provider'];

/**
 * The blocks of a reply that can be sent back: thinking that lost its signature is left out where the provider checks it.
 * Throws `malformed-reply` for what would have every later request refused.
 */
export function soundBlocks(reply: Reply, provider: Provider): readonly Block[] {
  if (!isObject(reply)) throw malformed('It is no object with `content`.');
  const { content } = reply;
  if (!Array.isArray(content)) throw malformed('Its content is no list of blocks.');
  for (const [index, block] of content.entries()) {
    if (!isSound(block, provider)) throw malformed(`Its block ${index} is not what the API gives.`);
  }
  if (provider !== 'anthropic') return content;
  return content.filter((block) => !isThinking(block) || block.signature !== '');
}

function isSound(block: unknown, provider: Provider): boolean {
  if (!isBlock(block)) return false;
  if (!isToolUse(block)) return true;
  return block.name !== '' && (provider !== 'anthropic' || isObject(block.input));
}

const malformed = (what: string): ContextError =>
  new ContextError('malformed-reply', `The reply cannot be sent back. ${what} Send it again.`);
