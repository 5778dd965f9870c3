import { fingerprint } from '@varve/messages';

/** How a stored result is written: text as it was, a JSON value, or bytes. */
export type Extension = 'txt' | 'json' | 'bin';

/** What a handle may look like; nothing else is ever looked up. */
const HANDLE = /^[A-Za-z0-9_][A-Za-z0-9_~-]*\.(?:txt|json|bin)$/;
const MAX_NAME = 64;
/** 64 bits of the content's hash: two results under one call id share a name only if they are the same bytes. */
const HASH_DIGITS = 16;

/** The first part of all keys of a session: safe as a folder name, different for different ids also where case is ignored. */
export function sessionKey(sessionId: string): string {
  const isSafe = /^[a-z0-9][a-z0-9_-]*$/.test(sessionId) && sessionId.length <= MAX_NAME;
  if (isSafe && !RESERVED.test(sessionId)) return sessionId;
  return `${safeName(sessionId, 'session')}~${fingerprint(sessionId).slice(0, HASH_DIGITS)}`;
}

/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The key a handle has in a session's folder. */
export function keyOf(sessionId: string, handle: string): string {
  return `${sessionKey(sessionId)}/${handle}`;
}

export const isHandle = (value: string): boolean => HANDLE.test(value);

/** A handle that depends on the call's id and the content, and on nothing else. */
export function handleOf(id: string, hash: string, extension: Extension): string {
  const name = safeName(id, 'result');
  const mark = name === id ? '' : `~${fingerprint(id).slice(0, 8)}`;
  return `${name}${mark}-${hash.slice(0, HASH_DIGITS)}.${extension}`;
}

export function extensionOf(handle: string): Extension {
  return handle.slice(handle.lastIndexOf('.') + 1) as Extension;
}

function safeName(id: string, empty: string): string {
  const name = id
    .slice(0, MAX_NAME)
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^-/, '_');
  return name === '' ? empty : name;
}
