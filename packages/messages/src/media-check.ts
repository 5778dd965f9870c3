import { isRecord } from '@varve/guards';
import type { BlockLike } from './like.ts';
import { field } from './like.ts';

/** Images that every provider takes in base64 (platform.claude.com, "Vision"; OpenAI names the same four). */
export const IMAGE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
];

/** What each kind of source has to hold. Kinds that are not named here are the provider's to judge. */
const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['base64', 'data'],
  ['url', 'url'],
  ['file', 'file_id'],
  ['text', 'data'],
]);

/**
 * What is wrong with the source of an image or a document, so that a provider does not take it: the rest of a sentence that says what
 * it is and what to do. `mediaTypes` are those that may come in base64. Any may where they are left out: what is then found, no
 * provider takes.
 */
export function mediaFault(
  block: BlockLike,
  mediaTypes: readonly string[] | undefined,
): string | undefined {
  if (!isRecord(block) || (block.type !== 'image' && block.type !== 'document')) return undefined;
  const source = field(block, 'source');
  const what = block.type === 'image' ? 'an image' : 'a document';
  if (!isRecord(source)) {
    const found = typeof source === 'string' ? 'a text' : 'no object';
    return `${what} whose \`source\` is ${found}. Write \`source: { type: 'url', url }\`, or \`{ type: 'base64', media_type, data }\`.`;
  }
  const { type, data, media_type: mediaType } = source;
  const name = FIELDS.get(type);
  if (name !== undefined && (typeof source[name] !== 'string' || source[name] === '')) {
    return `${what} whose \`source\` of type \`${type}\` has no text in \`${name}\`. Put it there.`;
  }
  if (type !== 'base64') return undefined;
  if ((data as string).startsWith('data:')) {
    return `${what} whose \`source.data\` is a data URL. Pass what stands behind its comma, and the type in \`media_type\`.`;
  }
  if (!isBase64(source as { readonly data: string })) {
    return `${what} whose \`source.data\` is no base64. Encode its bytes, or name it by \`{ type: 'url', url }\`.`;
  }
  if (typeof mediaType !== 'string' || mediaType === '') {
    return `${what} in base64 whose \`source\` has no text in \`media_type\`. Put it there.`;
  }
  if (mediaTypes === undefined || mediaTypes.includes(mediaType)) return undefined;
  return `${what} of \`${mediaType}\`. In base64 a provider takes ${mediaTypes.join(', ')}: convert it first.`;
}

/** Padding, line breaks and the letters of file names are left to the provider; what is read once is remembered by its source. */
function isBase64(source: { readonly data: string }): boolean {
  const { data } = source;
  const found = known.get(source);
  if (found?.data === data) return found.isBase64;
  const isBase64 = !/[^A-Za-z0-9+/_\s=-]|=[^=\s]/.test(data);
  known.set(source, { data, isBase64 });
  return isBase64;
}

// Memory of a pure function: dropping it changes nothing but time.
const known = new WeakMap<object, { readonly data: string; readonly isBase64: boolean }>();
