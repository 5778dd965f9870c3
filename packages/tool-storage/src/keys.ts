import { fingerprint } from '@varve/messages';
import { safeFileName, type storedHandleOf } from '@varve/messages/stored';

type StoredExtension = Parameters<typeof storedHandleOf>[2];

/** What a handle may look like; nothing else is ever looked up. */
const HANDLE = /^[A-Za-z0-9_][A-Za-z0-9_~-]*\.(?:txt|json|bin)$/;
const MAX_NAME = 64;
const HASH_DIGITS = 16;

/** The first part of all keys of a session: safe as a folder name, different for different ids also where case is ignored. */
export function sessionKey(sessionId: string): string {
  const isSafe = /^[a-z0-9][a-z0-9_-]*$/.test(sessionId) && sessionId.length <= MAX_NAME;
  if (isSafe && !RESERVED.test(sessionId)) return sessionId;
  return `${safeFileName(sessionId, 'session')}~${fingerprint(sessionId).slice(0, HASH_DIGITS)}`;
}

/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The key a handle has in a session's folder. */
export function keyOf(sessionId: string, handle: string): string {
  return `${sessionKey(sessionId)}/${handle}`;
}

export const isHandle = (value: string): boolean => HANDLE.test(value);

export function extensionOf(handle: string): StoredExtension {
  return handle.slice(handle.lastIndexOf('.') + 1) as StoredExtension;
}
