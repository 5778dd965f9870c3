import { recordOf, textOf } from '@varve/guards';
import type { BlockLike } from '../like.ts';
import { field } from '../like.ts';
import type { Block } from '../types.ts';
import { hasOtherFields } from './fields.ts';

/** Where the bytes of an image or a document are. */
export type MediaSource =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'text'; readonly text: string };

/** An image or a document, read from or to be written as one of our blocks. */
export interface Media {
  readonly type: 'image' | 'document';
  readonly source: MediaSource;
  readonly title?: string;
}

/** What a block holds, or undefined where its source is of a kind that no other provider knows. */
export function readMedia(block: BlockLike): Media | undefined {
  const type = block.type === 'image' ? 'image' : 'document';
  const source = readSource(recordOf(field(block, 'source')));
  const title = field(block, 'title');
  return source && { type, source, ...(typeof title === 'string' && { title }) };
}

function readSource(source: Readonly<Record<string, unknown>>): MediaSource | undefined {
  switch (source.type) {
    case 'base64':
      return {
        kind: 'data',
        mediaType: textOf(source.media_type),
        data: textOf(source.data),
      };
    case 'url':
      return { kind: 'url', url: textOf(source.url) };
    case 'file':
      return { kind: 'file', fileId: textOf(source.file_id) };
    case 'text':
      return { kind: 'text', text: textOf(source.data) };
    default:
      return undefined;
  }
}

export function writeMedia({ type, source, title }: Media): Block {
  return { type, source: writeSource(source), ...(title !== undefined && { title }) };
}

function writeSource(source: MediaSource) {
  switch (source.kind) {
    case 'data':
      return { type: 'base64', media_type: source.mediaType, data: source.data };
    case 'url':
      return { type: 'url', url: source.url };
    case 'file':
      return { type: 'file', file_id: source.fileId };
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text };
  }
}

/** Whether a block of media holds something that `readMedia` does not see. */
export function hasOtherMediaFields(block: BlockLike): boolean {
  const known = block.type === 'image' ? ['type', 'source'] : ['type', 'source', 'title'];
  const inSource = ['type', 'media_type', 'data', 'url', 'file_id'];
  return hasOtherFields(block, known) || hasOtherFields(recordOf(field(block, 'source')), inSource);
}

export const toDataUrl = (mediaType: string, data: string): string =>
  `data:${mediaType};base64,${data}`;

/** The source behind a URL: its bytes when they stand in the URL itself. */
export function sourceOfUrl(url: string): MediaSource {
  const [head = '', mediaType] = DATA_URL.exec(url.slice(0, LONGEST_HEAD)) ?? [];
  if (mediaType === undefined) return { kind: 'url', url };
  return { kind: 'data', mediaType, data: url.slice(head.length) };
}

const LONGEST_HEAD = 200;
const DATA_URL = /^data:([^;,]*);base64,/;

/** Stands for media that the other side cannot hold, so that the model knows that something was there. */
export const mediaPlaceholder = (block: BlockLike): string => `[${block.type}]`;

/** OpenAI wants a name for every file; this one reads back as none. */
export const UNTITLED = 'document.pdf';

/** Whether OpenAI keeps no title: a file by its id carries none, and the stand-in reads back as none. */
export function losesTitle(block: BlockLike): boolean {
  const media = readMedia(block);
  if (media?.title === undefined) return false;
  return media.source.kind !== 'data' || media.title === UNTITLED;
}
