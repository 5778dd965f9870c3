import type { CompactionReceipt, CompactionWork, RestoredFile } from '@varve/compact';
import type { Edit } from '@varve/messages';

/** A compaction that was made and has not changed anything yet. */
export interface Ready {
  readonly kind: 'compacted';
  /** In order; the last one puts a summary in place of what it covers. */
  readonly edits: readonly Edit[];
  readonly receipt: CompactionReceipt;
  readonly summary: string;
  /** What was attached, as `restore` said it. */
  readonly restored: readonly RestoredFile[];
  /** What it was planned on. */
  readonly basis: Pick<CompactionWork, 'messages' | 'thinking' | 'basis'>;
  /** Tokens that may still be attached. */
  readonly room: number;
}
