import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import { recordOf, textOf } from '@varve/guards';
import { type Block, isText } from '@varve/messages';
import type { Prompt } from '../../loop.ts';
import { IMAGE_TYPES, imageTypeOf, MOST_IMAGE_BYTES } from '../../tools/images.ts';

const FILE = 'embedded_file';

/**
 * What an editor sends as what a person says: text and links as one text, as a person would type them, then the files that came
 * with it, marked as no words of the person, and images. Throws `RequestError` for what no model takes.
 */
export function promptOf(content: readonly ContentBlock[], cwd: string): Prompt {
  let text = '';
  const attached: Block[] = [];
  for (const block of content) {
    switch (block.type) {
      case 'text':
        text += block.text;
        break;
      case 'resource_link':
        text += mention(block.uri, cwd);
        break;
      case 'resource': {
        const { resource } = block;
        text += mention(resource.uri, cwd);
        if ('text' in resource) attached.push(fileBlock(resource.uri, resource.text, cwd));
        else attached.push(imageBlock(resource.mimeType ?? '', resource.blob));
        break;
      }
      case 'image':
        attached.push(imageBlock(block.mimeType, block.data));
        break;
      default:
        throw RequestError.invalidParams({ type: block.type }, 'Text, files and images are read.');
    }
  }
  if (text.trim() === '' && attached.length === 0)
    throw RequestError.invalidParams({}, 'The prompt is empty.');
  if (attached.length === 0) return text;
  return [...(text.trim() === '' ? [] : [{ type: 'text', text }]), ...attached];
}

/** What a person attached, for an editor that shows it again; what stands in a file is not repeated. */
export function contentOf(block: Block): ContentBlock[] {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  const { type, media_type, data } = recordOf(recordOf(block).source);
  if (block.type !== 'image' || type !== 'base64') return [];
  return [{ type: 'image', mimeType: textOf(media_type), data: textOf(data) }];
}

/** A file as a person mentions it: `@` and the way from the folder of the session. Another address as it is. */
function mention(uri: string, cwd: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const way = relative(cwd, path);
  return `@${way === '' || way.startsWith('..') || isAbsolute(way) ? path : way}`;
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri.replace(/[#?].*$/, '')) : undefined;
  } catch {
    return undefined;
  }
}

/** A text from an editor cannot end its own mark. */
function fileBlock(uri: string, text: string, cwd: string): Block {
  const inside = text.replaceAll(`</${FILE}`, `<\\/${FILE}`);
  const name = JSON.stringify(mention(uri, cwd).replace(/^@/, ''))
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e');
  return { type: 'text', text: `<${FILE} path=${name}>\n${inside}\n</${FILE}>` };
}

function imageBlock(mimeType: string, data: string): Block {
  if (!IMAGE_TYPES.includes(mimeType))
    throw RequestError.invalidParams(
      { mimeType },
      `Of images are read: ${IMAGE_TYPES.join(', ')}.`,
    );
  const bytes = Buffer.from(data, 'base64').length;
  if (bytes === 0 || bytes > MOST_IMAGE_BYTES)
    throw RequestError.invalidParams({ bytes }, `An image has up to ${MOST_IMAGE_BYTES} bytes.`);
  const media_type = imageTypeOf(Buffer.from(data.slice(0, 16), 'base64')); // an editor may name another
  if (media_type === undefined)
    throw RequestError.invalidParams({ mimeType }, 'What is given as an image is none.');
  return { type: 'image', source: { type: 'base64', media_type, data } };
}
