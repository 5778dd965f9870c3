import { type Block, isText, type ToolResultBlock } from '@varve/messages';

/**
 * What a tool gave, as content that every provider takes: never blank, no half surrogates.
 *
 * @throws TypeError for what is neither a text nor a list of blocks
 */
export function resultContent(given: unknown): string | readonly Block[] {
  if (typeof given === 'string') return given.trim() === '' ? NOTHING : given.toWellFormed();
  if (!Array.isArray(given) || !given.every(isBlock)) throw new TypeError(BAD_CONTENT);
  if (given.every(isBlank)) return NOTHING;
  return given.filter((block) => !isBlank(block)).map(wellFormed);
}

/** The content of a failure: as an error where it is text, which is all that providers take as one, and else in words. */
export function failure(
  content: string | readonly Block[],
): Pick<ToolResultBlock, 'content' | 'is_error'> {
  if (typeof content === 'string' || content.every(isText)) return { content, is_error: true };
  return { content: [{ type: 'text', text: 'The tool failed. What it gave:' }, ...content] };
}

/** Whatever was thrown, as a text; not all values can be turned into one. */
export function textOfThrown(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : thrown;
  return typeof text === 'string' && text.trim() !== '' ? text : 'it gave no reason';
}

/** Providers differ on empty results, and a model that sees one may call again. */
const NOTHING = '(no output)';
const BAD_CONTENT = 'what it gave is neither a text nor a list of content blocks';

function isBlock(value: unknown): value is Block {
  const { type, text }: { type?: unknown; text?: unknown } = Object(value);
  if (type === 'text') return typeof text === 'string';
  return typeof type === 'string' && !OF_MESSAGES.has(type);
}

/** What stands in a message only: a tool that hands one out has mixed something up, and providers refuse it. */
const OF_MESSAGES: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
]);

/** Providers take no blank text, inside a result neither. */
export const isBlank = (block: Block): boolean => isText(block) && block.text.trim() === '';

function wellFormed(block: Block): Block {
  if (!isText(block)) return block;
  const text = block.text.toWellFormed();
  return text === block.text ? block : { ...block, text };
}
