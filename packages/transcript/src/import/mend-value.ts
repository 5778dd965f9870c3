import type { ImportContext } from './context.ts';
import { MAX_DEPTH, wellFormed } from './well-formed.ts';

export interface MendOptions {
  readonly line: number;
  readonly context: ImportContext;
  /** How deep the value may be nested. @default 500 */
  readonly maxDepth?: number;
}

/** A value from a file as every JSON parser takes it; what had to be changed is reported. */
export function mendValue(value: unknown, options: MendOptions): unknown {
  const { line, context, maxDepth = MAX_DEPTH } = options;
  const mended = wellFormed(value, maxDepth);
  if (mended.replaced > 0) {
    const text = `${mended.replaced} halves of surrogate pairs were replaced by U+FFFD`;
    context.problem('lone-surrogate', line, text);
  }
  if (mended.cut > 0) {
    const text = `${mended.cut} values nested more than ${maxDepth} deep were left out`;
    context.problem('too-deep', line, text);
  }
  return mended.value;
}
