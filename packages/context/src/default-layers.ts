import { createMicrocompact } from '@varve/microcompact';
import { createEstimator, type ModelInfo } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import type { Layer } from './layer.ts';

export interface DefaultLayersOptions {
  /** Names what is cleared, so that the model can read it back. @default what is cleared can only be had anew */
  readonly storage?: Pick<ToolStorage, 'handleOf'> | undefined;
}

/** The layers of a context that names none. */
export function defaultLayers(
  { tokenizer }: ModelInfo,
  { storage }: DefaultLayersOptions = {},
): readonly Layer[] {
  const { block: sizeOf } = createEstimator({ family: tokenizer });
  const handleOf = storage?.handleOf;
  return [{ name: 'microcompact', planner: createMicrocompact({ sizeOf, handleOf }) }];
}
