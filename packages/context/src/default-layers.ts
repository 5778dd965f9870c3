import { createMicrocompact } from '@varve/microcompact';
import { createEstimator, type ModelInfo } from '@varve/tokens';
import type { Layer } from './layer.ts';

/** The layers of a context that names none. */
export function defaultLayers({ tokenizer }: ModelInfo): readonly Layer[] {
  const { block } = createEstimator({ family: tokenizer });
  return [{ name: 'microcompact', planner: createMicrocompact({ sizeOf: block }) }];
}
