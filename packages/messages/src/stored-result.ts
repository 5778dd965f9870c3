import { fingerprint } from './fingerprint.ts';
import type { ToolResultBlock } from './types.ts';

// A result that was stored is shown as a preview in an envelope: `<persisted-output handle="ID-HASH.txt" size="…" lines="…"
// sha256="HASH…">`, a notice, the preview, `</persisted-output>`. Any output may look like one. Ours is bound to its place:
// its handle is made of the id of the call that it answers and of the hash in its head, so that an envelope which a tool
// printed (of a transcript, of another call, made up) is told from the one that was put there.

/** The tag around what stands in place of a stored result, and the beginning of that of a gap in it. */
export const STORED_TAG = 'persisted-output';

/** How a stored result is written: text as it was, a JSON value, or bytes. */
export type StoredExtension = 'txt' | 'json' | 'bin';

const MAX_NAME = 64;
/** 64 bits of the content's hash: two results under one call id share a name only if they are the same bytes. */
const HASH_DIGITS = 16;

/** The handle of a stored result. It depends on the call's id and the content, and on nothing else. */
export function storedHandleOf(
  toolUseId: string,
  hash: string,
  extension: StoredExtension,
): string {
  const name = safeFileName(toolUseId, 'result');
  const mark = name === toolUseId ? '' : `~${fingerprint(toolUseId).slice(0, 8)}`;
  return `${name}${mark}-${hash.slice(0, HASH_DIGITS)}.${extension}`;
}

/** An id as a part of a file's name, at most 64 characters; different ids may get the same. */
export function safeFileName(id: string, empty: string): string {
  const name = id
    .slice(0, MAX_NAME)
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^-/, '_');
  return name === '' ? empty : name;
}

/**
 * The handle under which a result is stored whole, from the envelope that stands in its place; undefined for a result that
 * stands there whole, whatever it looks like.
 */
export function storedHandle(
  block: Pick<ToolResultBlock, 'tool_use_id' | 'content'>,
): string | undefined {
  const text = firstText(block.content);
  const [, handle, digits] = (text !== undefined && HEAD.exec(text)) || [];
  if (handle === undefined || digits === undefined || !text?.endsWith(END)) return undefined;
  const extension = handle.slice(handle.lastIndexOf('.') + 1) as StoredExtension;
  return handle === storedHandleOf(block.tool_use_id, digits, extension) ? handle : undefined;
}

const HEAD = new RegExp(
  `^<${STORED_TAG} handle="([^"<>\\s]{1,200}\\.(?:txt|json|bin))" size="[^"<>\\n]*" lines="\\d+" [\\w-]+="([^"<>\\s]+)">\\n`,
);
const END = `</${STORED_TAG}>`;

/** Media may stand in front of it: they stay where they were. */
function firstText(content: ToolResultBlock['content']): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  const text = content.find(({ type }) => type === 'text')?.text;
  return typeof text === 'string' ? text : undefined;
}
