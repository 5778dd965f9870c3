import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { Block } from '@varve/messages';
import { IMAGE_TYPES, imageTypeOf } from '../tools/images.ts';
import type { ToolOutput } from '../tools/tool.ts';

/** Characters of base64; providers refuse larger images. */
const MOST_IMAGE_CHARS = 5_000_000;

/** What a server gave, as a result that every provider takes: text, and images where it can show them. */
export function outputOf({ content = [], structuredContent, isError }: CallToolResult): ToolOutput {
  const blocks = content.map(blockOf);
  const hasText = blocks.some((block) => block.type === 'text');
  if (structuredContent !== undefined && !hasText)
    blocks.push(text(JSON.stringify(structuredContent)));
  const failed = isError === true ? { isError } : {};
  if (!blocks.every((block) => block.type === 'text')) return { content: blocks, ...failed };
  const whole = blocks.map((block) => String(block.text)).join('\n\n');
  return { content: whole.trim() === '' ? 'The tool gave nothing.' : whole, ...failed };
}

const text = (value: string): Block => ({ type: 'text', text: value });

function blockOf(block: ContentBlock): Block {
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
      return mediaOf(block.mimeType, block.data);
    case 'audio':
      return mediaOf(block.mimeType, block.data);
    case 'resource_link': {
      const { uri, name, mimeType, description } = block;
      return text([`${name}: ${uri}`, mimeType, description].filter(Boolean).join('\n'));
    }
    case 'resource': {
      const { uri, mimeType = 'application/octet-stream', ...given } = block.resource;
      if ('text' in given) return text(`${uri}\n${given.text}`);
      return mediaOf(mimeType, given.blob, uri);
    }
    default:
      return text(JSON.stringify(block));
  }
}

function mediaOf(media_type: string, data: string, name = 'it'): Block {
  const type = imageTypeOf(Buffer.from(data.slice(0, 16), 'base64')); // a server may name another
  if (IMAGE_TYPES.includes(media_type) && type !== undefined && data.length <= MOST_IMAGE_CHARS)
    return { type: 'image', source: { type: 'base64', media_type: type, data } };
  const bytes = Math.floor((data.length * 3) / 4);
  return text(`(${media_type} of ${bytes} bytes: ${name} cannot be shown here)`);
}
