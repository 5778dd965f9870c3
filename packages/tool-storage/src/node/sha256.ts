import { createHash } from 'node:crypto';
import type { ContentHash } from '../store.ts';

/** SHA-256 of the whole, by the system's own implementation. */
export const sha256: ContentHash = {
  name: 'sha256',
  of: (bytes) => createHash('sha256').update(bytes).digest('hex'),
};
