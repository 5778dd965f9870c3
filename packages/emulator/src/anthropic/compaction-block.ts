import type { Fields } from '@varve/guards';
import { type Block, fingerprint } from '@varve/messages';

const MARK = 'emuc1';

/** A block as threshold compaction leaves it: readable, without a signature. */
export const compactionBlock = (content: string | null): Block => ({
  type: 'compaction',
  content,
  encrypted_content: content === null ? null : seal(content),
});

/** A block as compaction on demand returns it. */
export const signedCompactionBlock = (content: string): Block => ({
  ...compactionBlock(content),
  signature: seal(content),
});

const seal = (content: string): string => `${MARK}.${fingerprint(content)}`;

/** Whether a signed block is one of this server's, and as it was returned. */
export function readSeal({ content, signature }: Fields): 'valid' | 'altered' | 'unknown' {
  if (typeof signature !== 'string' || !/^emuc1\.[0-9a-f]{32}$/.test(signature)) return 'unknown';
  return typeof content === 'string' && seal(content) === signature ? 'valid' : 'altered';
}
