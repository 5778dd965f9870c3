import { isRecord } from './fields.ts';

const MARK = Symbol.for('@varve/guards/error');

/**
 * The class that the error of every package extends. A package adds its codes, its name, and its own `is`:
 *
 *     export class StoreError extends VarveError<'damaged' | 'full'> {
 *       override get name() {
 *         return 'StoreError' as const;
 *       }
 *       static override is(value: unknown): value is StoreError {
 *         return VarveError.is(value, 'StoreError');
 *       }
 *     }
 */
export abstract class VarveError<Code extends string = string> extends Error {
  /** For programs. Codes are only ever added in a minor release. */
  readonly code: Code;

  /** The message says what happened and what to do; it holds no text of a conversation. */
  constructor(code: Code, message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }

  /** A getter of each class, because the stack is written while the error is made. */
  abstract override get name(): string;

  /** How another copy of this package recognises the error. */
  get [MARK](): true {
    return true;
  }

  /** True for an error of these packages, or for the one class named; also across copies of a package, where `instanceof` is not. */
  static is(value: unknown, name?: string): value is VarveError {
    if (!isRecord(value) || (value as { readonly [MARK]?: unknown })[MARK] !== true) return false;
    return name === undefined || value.name === name;
  }
}
