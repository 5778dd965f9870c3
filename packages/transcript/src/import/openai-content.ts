import { recordOf } from '@varve/guards';
import type { Block, ImageBlock } from '@varve/messages';
import { isBlock, readBlocks } from './block-fields.ts';
import { type JsonRecord, textOf, wordsOf } from './json.ts';

/** Stands where a format records thinking and not its signature: a signature may not be empty. */
export const NO_SIGNATURE = '[signature not recorded]';

/** Blocks of an OpenAI message: text alone, or parts of chat (`text`, `image_url`) or Responses (`input_text`, …). */
export function partsOf(content: unknown): Block[] {
  return readBlocks(content, partOf);
}

function partOf(part: JsonRecord): Block {
  const text = part.text ?? part.refusal;
  if (typeof text === 'string') return { type: 'text', text };
  const url = textOf(part.image_url) ?? textOf(recordOf(part.image_url).url);
  if (url !== undefined) return imageOf(url);
  const other = { ...part, type: textOf(part.type) ?? 'unknown' };
  return isBlock(other) ? other : { type: '', value: part };
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** An image by its URL; a data URL is taken apart. */
export function imageOf(url: string): ImageBlock {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data };
  return { type: 'image', source };
}

/** What a tool gave back: text as it is, parts as blocks, anything else as JSON. */
export function outputOf(output: unknown): string | Block[] {
  return Array.isArray(output) ? partsOf(output) : wordsOf(output);
}
