import type { Block } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createEstimator, type ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { Layer } from './layer.ts';

export interface DefaultLayersOptions {
  /** Names what is cleared, so that the model can read it back. @default what is cleared can only be had anew */
  readonly storage?: Pick<ToolStorage, 'handleOf'> | undefined;
  /** What says how likely a result is needed again: see `RentOptions.by` of `@varve/microcompact`. @default 'age' */
  readonly clearBy?: 'age' | 'need' | undefined;
}

/** The layers of a context that names none. */
export function defaultLayers(
  { tokenizer }: ModelInfo,
  options: DefaultLayersOptions = {},
): readonly Layer[] {
  return clearingLayers(createEstimator({ family: tokenizer }).block, options);
}

/** The same with sizes of one's own, in tokens of a block. */
export function clearingLayers(
  sizeOf: (block: Block) => number,
  { storage, clearBy: by }: DefaultLayersOptions,
): readonly Layer[] {
  const handleOf = storage?.handleOf;
  return [
    { name: 'microcompact', planner: createMicrocompact({ sizeOf, handleOf, rent: { by } }) },
  ];
}
