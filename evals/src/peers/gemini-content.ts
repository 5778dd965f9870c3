import {
  type Block,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';

/** A message as gemini-cli has it. */
export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly object[];
}

/** One part for each block, so that parts can be read by position. */
export function createContentWriter(): (message: Message) => Content {
  const names = new Map<string, string>();
  const toPart = (block: Block): object => {
    if (isToolUse(block)) {
      names.set(block.id, block.name);
      return { functionCall: { id: block.id, name: block.name, args: block.input } };
    }
    if (!isToolResult(block)) return { text: isText(block) ? block.text : '' };
    const { tool_use_id: id } = block;
    const response = { output: outputOf(block) };
    return { functionResponse: { id, name: names.get(id) ?? 'tool', response } };
  };
  return ({ role, content }) => ({
    role: role === 'assistant' ? 'model' : 'user',
    parts: content.map(toPart),
  });
}

const outputOf = ({ content = '' }: ToolResultBlock): unknown =>
  typeof content !== 'string' && content.every(isText)
    ? content.map(({ text }) => text).join('\n')
    : content;

interface ResponsePart {
  readonly functionResponse?: { readonly response: { readonly output: string } };
}

export interface Masked {
  readonly before: Content | undefined;
  readonly after: Content | undefined;
  /** Where the files are that hold what was masked. */
  readonly folder: string;
}

/**
 * The message with the texts that stand for its results. Previews may cut a character in two, which providers refuse;
 * that is mended, so that every session counts. The same one where nothing was masked.
 */
export function maskedMessage(message: Message, { before, after, folder }: Masked): Message {
  if (after === before) return message;
  const content = message.content.map((block, at): Block => {
    const part = after?.parts[at] as ResponsePart | undefined;
    if (part === before?.parts[at] || part?.functionResponse === undefined) return block;
    const { output } = part.functionResponse.response;
    return { ...block, content: withFixedPath(output, folder).toWellFormed() };
  });
  return { ...message, content };
}

/** Files have names drawn by lot in a folder of this run; as long as those, and the same each time. */
const withFixedPath = (text: string, folder: string): string =>
  text
    .replaceAll(
      folder,
      '/tmp/gemini-cli-project'.padEnd(folder.length, '0').slice(0, folder.length),
    )
    .replace(/_[a-z0-9]{1,12}\.txt\n/g, '_000000.txt\n');
