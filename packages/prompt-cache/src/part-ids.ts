import { type Block, isText, isToolResult, type Tool } from '@varve/messages';
import { renderPart } from './render.ts';

/**
 * Gives every distinct part a number: two parts have the same one exactly when `renderPart` gives the same bytes for
 * both. The one long string most blocks consist of is looked up as it is, without writing it as JSON.
 */
export function createPartIds(): (part: Block | Tool) => number {
  const idOf = createIds();
  const idOfString = createIds();
  return (part) => {
    const long = 'type' in part ? longString(part as Block) : undefined;
    // No part's JSON begins with a digit, so the two kinds of keys never meet.
    return idOf(long === undefined ? renderPart(part) : `${idOfString(long.string)} ${long.rest}`);
  };
}

/** Numbers strings in the order in which they first come, from 1. */
export function createIds(): (text: string) => number {
  const ids = new Map<string, number>();
  return (text) => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, ids.size + 1);
    return ids.size;
  };
}

/** Only of blocks without any further field: everything else is written out. */
function longString(block: Block): { readonly string: string; readonly rest: string } | undefined {
  const fields = Object.keys(block).length;
  if (isText(block) && fields === 2 && typeof block.text === 'string') {
    return { string: block.text, rest: 'text' };
  }
  if (!isToolResult(block) || fields !== 3) return undefined;
  const { content, tool_use_id } = block;
  if (typeof content !== 'string' || typeof tool_use_id !== 'string') return undefined;
  return { string: content, rest: `tool_result ${tool_use_id}` };
}
