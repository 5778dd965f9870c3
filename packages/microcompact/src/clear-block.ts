import type { Block, BlockReplacement, Edit, ToolResultBlock, ToolUseBlock } from '@varve/messages';
import type { Candidate } from './candidate.ts';
import type { LegalDecision } from './legal-clearing.ts';
import { clearedInput, clearedResult } from './placeholder.ts';

/** What stands in place of a candidate; `null` drops thinking. */
export function clearBlock({ kind, block, handle }: Candidate): Block | null {
  if (kind === 'thinking') return null;
  return kind === 'result'
    ? clearedResult(block as ToolResultBlock, handle)
    : clearedInput(block as ToolUseBlock);
}

export type ReplaceContent = Extract<Edit, { kind: 'replace-content' }>;

/** All of a decision as one edit. */
export function toEdit({ clear, drops }: LegalDecision): ReplaceContent {
  const cleared: BlockReplacement[] = clear.map((candidate) => ({
    messageId: candidate.messageId,
    index: candidate.index,
    block: clearBlock(candidate),
  }));
  const dropped = drops.map(({ messageId, index }) => ({ messageId, index, block: null }));
  return { kind: 'replace-content', blocks: [...cleared, ...dropped] };
}

/** Tokens that a decision takes out of the next request. */
export function savedTokens({ clear, drops }: LegalDecision): number {
  const cleared = clear.reduce((sum, { tokens, clearedTokens }) => sum + tokens - clearedTokens, 0);
  return drops.reduce((sum, { tokens }) => sum + tokens, cleared);
}
