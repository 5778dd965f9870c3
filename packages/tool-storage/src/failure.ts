import { codeOf } from '@varve/guards';

/**
 * Why a result could not be stored. `disk-full`, `read-only` and `folder-gone` by the system's error code; `session-budget`
 * and `total-budget`: our own limits; `store-failed`: all else, see `cause`.
 */
export type StoreFailure =
  | 'disk-full'
  | 'read-only'
  | 'folder-gone'
  | 'session-budget'
  | 'total-budget'
  | 'store-failed';

const REASONS: Readonly<Record<string, StoreFailure>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'disk-full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOENT: 'folder-gone',
  ENOTDIR: 'folder-gone',
};

export function failureOf(cause: unknown): StoreFailure {
  const code = codeOf(cause) ?? '';
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return known ?? 'store-failed';
}

/** Said to the model in place of the whole. */
export const FAILURE_TEXT: Readonly<Record<StoreFailure, string>> = {
  'disk-full': 'the disk is full',
  'read-only': 'the storage folder cannot be written',
  'folder-gone': 'the storage folder is gone',
  'session-budget': 'the storage room of this session is used up',
  'total-budget': 'the storage room is used up',
  'store-failed': 'the storage failed',
};
