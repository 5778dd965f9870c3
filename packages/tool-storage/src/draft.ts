import type { BlockLike } from '@varve/messages/blocks';
import { type Material, textOf, withText } from './content.ts';
import type { Verdict } from './decisions.ts';
import type { Settings } from './options.ts';
import type { KeptReason, Offloaded, ToolOutput } from './outcome.ts';
import { isOver } from './size.ts';

/** A result on its way: what is decided so far, and whether that may still change. */
export interface Draft<B extends BlockLike = BlockLike> {
  readonly output: ToolOutput<B>;
  readonly material: Material;
  readonly isFresh: boolean;
  readonly verdict: Verdict;
  /** What the store threw. */
  readonly cause?: unknown;
}

export interface Limits {
  readonly chars: number;
  readonly tokens: number;
}

/** Why to leave a result as it is; `undefined` where it has to be stored. */
export function keptReason(
  { toolName, content }: ToolOutput,
  material: Material,
  { limits, settings }: { readonly limits: Limits; readonly settings: Settings },
): KeptReason | undefined {
  if (content instanceof Uint8Array && material.binary !== undefined) return undefined;
  if (toolName === settings.readToolName) return 'read-back';
  const { chars, tokens } = limits;
  if (Math.min(chars, tokens) === Number.POSITIVE_INFINITY) return 'exempt';
  if (material.text === '') return 'empty';
  if (Array.isArray(content) && !content.some(hasText)) return 'no-text';
  return isOver(material, limits, settings.sizeOf) ? undefined : 'below-threshold';
}

const hasText = (block: BlockLike): boolean => textOf(block) !== undefined;

/** UTF-16 units that the result brings into its message, media aside. */
export function shownChars({ verdict, material }: Draft): number {
  return verdict.kind === 'kept' ? material.text.length : verdict.shown.length;
}

export function toOutcome<B extends BlockLike>(draft: Draft<B>): Offloaded<B> {
  const { output, material, verdict, cause } = draft;
  const failed = cause === undefined ? {} : { cause };
  const { content } = output;
  if (verdict.kind === 'kept') {
    // The very same array, which its owner may change if he could before.
    const same = content instanceof Uint8Array ? material.text : (content as string | B[]);
    const shown = verdict.isClean ? ((material.clean ?? same) as string | B[]) : same;
    return { kind: 'kept', content: shown, reason: verdict.reason, ...failed };
  }
  const { bytes, lines, hash, shown } = verdict;
  const replaced = Array.isArray(content) ? withText<B>(content, shown) : shown;
  const facts = { content: replaced, bytes, lines, hash };
  if (verdict.kind === 'truncated') {
    return { kind: 'truncated', reason: verdict.reason, ...facts, ...failed };
  }
  return { kind: 'stored', reason: verdict.reason, handle: verdict.handle, ...facts };
}
