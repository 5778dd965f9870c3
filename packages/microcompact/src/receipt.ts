import type { JsonObject } from '@varve/messages';
import { savedTokens } from './clear-block.ts';
import type { LegalDecision } from './legal-clearing.ts';

/**
 * What stands beside an edit in the log. It is JSON, so that the caller appends it as the entry's `receipt`. Sizes in
 * tokens.
 */
export interface ClearingReceipt extends JsonObject {
  /** Calls whose output was cleared, oldest first. */
  readonly clearedToolUseIds: readonly string[];
  /** Calls whose input was cleared. */
  readonly clearedInputIds: readonly string[];
  /** Blocks of thinking that were dropped. */
  readonly droppedThinking: number;
  /**
   * Files whose content is no longer shown where a read, an edit or a write showed it: whatever answers "unchanged since
   * the last read" has to forget them. Without a leading `./` and doubled slashes.
   */
  readonly paths: readonly string[];
  /** Where cleared outputs are stored whole. */
  readonly handles: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** By deletions in the provider's cache: what the next request will not read from it. */
  readonly expectedDropTokens: number;
}

export interface ReceiptOptions {
  /** Size of the messages before the edit. */
  readonly tokensBefore: number;
  /** @default 0 */
  readonly expectedDropTokens?: number | undefined;
}

/** The receipt of a decision. */
export function clearingReceipt(
  decision: Pick<LegalDecision, 'clear' | 'drops'>,
  { tokensBefore, expectedDropTokens = 0 }: ReceiptOptions,
): ClearingReceipt {
  const { clear, drops } = decision;
  const idsOf = (kind: string) =>
    clear.filter((candidate) => candidate.kind === kind).map(({ toolUseId }) => toolUseId);
  const saved = expectedDropTokens > 0 ? 0 : savedTokens({ ...decision, reason: '' });
  return {
    clearedToolUseIds: idsOf('result'),
    clearedInputIds: idsOf('input'),
    droppedThinking: drops.length + idsOf('thinking').length,
    paths: unique(clear.flatMap(({ path }) => path ?? [])),
    handles: unique(clear.flatMap(({ handle }) => handle ?? [])),
    tokensBefore,
    tokensAfter: tokensBefore - saved,
    expectedDropTokens,
  };
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
