import { renderBytes } from './render.ts';
import type { ViewMessage } from './types.ts';

/** Index of the first message whose bytes differ; the length of the shorter list when it is a prefix of the other. */
export function firstDifference(
  before: readonly ViewMessage[],
  after: readonly ViewMessage[],
): number {
  const end = Math.min(before.length, after.length);
  for (let index = 0; index < end; index++) {
    const old = before[index] as ViewMessage;
    const next = after[index] as ViewMessage;
    if (old !== next && renderBytes(old) !== renderBytes(next)) return index;
  }
  return end;
}
