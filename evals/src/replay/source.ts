import type { ToolResultBlock, ToolUseBlock } from '@varve/messages';

/** Something recorded that can be shown again: a call, and the result that it gives. */
export interface Source {
  /** Words of a call are no content that a tool shows. */
  readonly kind: 'result' | 'file' | 'words';
  /** Grows with the place in the recording. */
  readonly order: number;
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Whether the call, made now, would give what it gives here. */
  readonly isReproducible: () => boolean;
}
