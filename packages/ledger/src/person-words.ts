import { isRecord } from '@varve/guards';
import {
  type Block,
  isText,
  isToolResult,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import { isMedia } from '@varve/messages/blocks';
import { personBlocks, splitInjected } from '@varve/messages/persons';

/**
 * What the person typed in a message, one string a block. What the agent put into the message is cut out: reminders, contents
 * of files that were mentioned, output of its own commands. Of a slash command the arguments are the person's. A text inside
 * a tool result is never the person's, whatever it says.
 */
export function personWords(message: Message): string[] {
  const said = personBlocks(message) as readonly Block[];
  const texts = said.filter(isText).map((block) => block.text);
  if (message.origin?.kind === 'command') return texts.flatMap(commandWords);
  const words = texts.filter((text) => !ATTACHED.test(text)).flatMap(ownWords);
  const images = said.filter(isMedia).length;
  if (words.length > 0 || images === 0 || message.content.some(isToolResult)) return words;
  return [
    `[${images} ${images === 1 ? 'image or document' : 'images or documents'}, without words]`,
  ];
}

/** All text of a block: its own, that of a text document, and that of the blocks in its content. */
export function textOf(block: Block): string {
  if (isText(block)) return block.text;
  const { content, source } = block as { readonly content?: unknown; readonly source?: unknown };
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    return content
      .filter(isText)
      .map((inner) => inner.text)
      .join('\n');
  }
  return isRecord(source) && source.type === 'text' && typeof source.data === 'string'
    ? source.data
    : '';
}

/** Images that stand inside of a JSON text, as some tools give them. */
const IMAGE_IN_TEXT =
  /"type"\s*:\s*"(?:image|input_image|image_url)"|data:image\/[\w.+-]+;base64,/g;
/** Names and values of JSON, and runs of encoded data: no words. */
const ENCODED = /"[^"]*"|[A-Za-z0-9+/_=-]{200,}/g;

/** How many images and documents a result is made of, where it says nothing beside them; 0 where it does. */
export function mediaOnly({ content }: ToolResultBlock, text: string): number {
  const blocks = Array.isArray(content) ? content.filter(isMedia).length : 0;
  if (text.trim() === '') return blocks;
  const head = text.slice(0, MOST_SCANNED);
  if (!head.includes('image')) return 0;
  const inText = [...head.matchAll(IMAGE_IN_TEXT)].length;
  if (inText === 0) return 0;
  const rest = head
    .replace(/data:image\/[\w.+-]+;base64,/g, '')
    .replace(ENCODED, '')
    .replace(/"[^"]*$/, '');
  return /\p{L}{3}/u.test(rest) ? 0 : blocks + inText;
}

/** UTF-16 units; how an image stands in a text shows at its beginning. */
const MOST_SCANNED = 20_000;

/** How agents begin a block that holds a file or a result which the person only mentioned. */
const ATTACHED =
  /^\s*(?:Called the \w+ tool with the following input|--- Content from referenced files|<(?:file|files|attachment|document|selection|path)[ >\n])/;

/** Byte for byte, except around what was cut out. */
function ownWords(text: string): string[] {
  const { own } = splitInjected(text);
  if (own.trim() === '') return [];
  return [own === text ? text : own.trim()];
}

function commandWords(text: string): string[] {
  const start = text.indexOf(ARGUMENTS);
  const end = text.indexOf('</command-args>', start);
  const words = Math.min(start, end) < 0 ? '' : text.slice(start + ARGUMENTS.length, end).trim();
  return words === '' ? [] : [words];
}

const ARGUMENTS = '<command-args>';
