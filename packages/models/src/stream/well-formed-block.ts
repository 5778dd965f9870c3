import { type Block, isText, isToolUse } from '@varve/messages';

/**
 * A block that may be sent back: half surrogates, which a server may emit where it cuts an emoji and which every provider
 * refuses in a request, become U+FFFD in texts and inputs. Thinking is signed and stays as it came.
 */
export function wellFormedBlock(block: Block): Block {
  if (isText(block)) {
    const text = block.text.toWellFormed();
    return text === block.text ? block : { ...block, text };
  }
  if (!isToolUse(block)) return block;
  const json = JSON.stringify(block.input);
  // half surrogates alone are written as escapes
  if (json === undefined || !/\\ud[89a-f]/.test(json)) return block;
  return { ...block, input: JSON.parse(json, mended) };
}

function mended(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
