import type { Block } from '@varve/messages';
import { isText, isToolResult, isToolUse } from '@varve/messages';
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import { isMedia, readPlain } from '@varve/messages/blocks';
import { refuseForeign } from '@varve/messages/foreign';
import { checkBlock, checkHead, checkMessage } from './check-message.ts';
import { addClasses, type ClassTokens, NO_TOKENS, totalTokens } from './content-class.ts';
import type { Estimator } from './estimator.ts';
import { remember } from './remember.ts';
import { utf8Bytes } from './utf8-bytes.ts';

const BYTES_PER_TEXT_TOKEN = 4;
const BYTES_PER_JSON_TOKEN = 2;
/** An image or a document, whatever its size. */
const MEDIA_TOKENS = 2_000;

/**
 * Tokens of a string by the crude rule: four UTF-8 bytes a token, two where it is known to be JSON; rounded up. It
 * undercounts today's Claude by a third to a half.
 */
export function crudeTokens(text: string, kind: 'text' | 'json' = 'text'): number {
  const bytesPerToken = kind === 'json' ? BYTES_PER_JSON_TOKEN : BYTES_PER_TEXT_TOKEN;
  return Math.ceil(utf8Bytes(text) / bytesPerToken);
}

/** `createEstimator({ family: 'crude' })`. */
export const crudeEstimator: Estimator = {
  name: 'crude',
  version: '1',
  text: (text) => crudeTokens(text),
  block: (block) => totalTokens(blockClasses(block)),
  message: (message) => totalTokens(classes(message)),
  classes,
  head: (head) => totalTokens(crudeEstimator.headClasses(head)),
  headClasses: (head) => {
    checkHead(head);
    return {
      ...NO_TOKENS,
      text: sum(head.system, (block) => crudeTokens(block.text)),
      dense: sum(head.tools, jsonTokens),
    };
  },
};

// Memory of a pure function: dropping it changes nothing but time.
const blockClasses = remember(countBlock);

function classes(message: MessageLike): ClassTokens {
  refuseForeign([message]);
  checkMessage(message);
  return contentClasses(message.content ?? []);
}

function contentClasses(content: MessageLike['content']): ClassTokens {
  if (typeof content === 'string') return { ...NO_TOKENS, text: crudeTokens(content) };
  return content.map(blockClasses).reduce(addClasses, NO_TOKENS);
}

/** Text counts as `text`, JSON as `dense`. */
function countBlock(block: BlockLike): ClassTokens {
  checkBlock(block);
  const known = block as Block;
  if (isText(known)) return { ...NO_TOKENS, text: crudeTokens(known.text) };
  if (isMedia(known)) return { ...NO_TOKENS, media: MEDIA_TOKENS };
  if (known.type === 'thinking') return { ...NO_TOKENS, text: crudeTokens(String(known.thinking)) };
  if (isToolUse(known)) {
    const name = utf8Bytes(known.name) / BYTES_PER_TEXT_TOKEN;
    const input = utf8Bytes(json(known.input)) / BYTES_PER_JSON_TOKEN;
    return { ...NO_TOKENS, dense: Math.ceil(name + input) };
  }
  if (!isToolResult(known)) return { ...NO_TOKENS, dense: jsonTokens(known) };
  const { content = '' } = known;
  return contentClasses(content);
}

const json = (value: unknown): string => readPlain(value, () => JSON.stringify(value) ?? '');
const jsonTokens = (value: unknown): number => crudeTokens(json(value), 'json');

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
