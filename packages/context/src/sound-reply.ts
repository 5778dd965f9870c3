import { type Block, isText, isThinking, isToolUse } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { ContextError } from './error.ts';

type Provider = ModelInfo['provider'];

/**
 * The blocks of a reply that can be sent back: thinking that lost its signature is left out where the provider checks it.
 * Throws `malformed-reply` for what would have every later request refused.
 */
export function soundBlocks(content: readonly Block[], provider: Provider): readonly Block[] {
  if (!Array.isArray(content)) throw malformed('Its content is no list of blocks.');
  for (const [index, block] of content.entries()) {
    if (!isSound(block, provider)) throw malformed(`Its block ${index} is not what the API gives.`);
  }
  if (provider !== 'anthropic') return content;
  return content.filter((block) => !isThinking(block) || block.signature !== '');
}

function isSound(block: Block, provider: Provider): boolean {
  if (!isObject(block) || typeof block.type !== 'string') return false;
  if (isText(block)) return typeof block.text === 'string';
  if (!isToolUse(block)) return true;
  return block.name !== '' && (provider !== 'anthropic' || isObject(block.input));
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (what: string): ContextError =>
  new ContextError('malformed-reply', `The reply cannot be sent back. ${what} Send it again.`);
