import type { ForkPlan } from './plan.ts';

/** Why a fork, an agent or a mailbox refused; each is explained in the README. */
export type ForkErrorCode =
  | 'bad-mail'
  | 'bound-thinking'
  | 'cold-prefix'
  | 'empty-parent'
  | 'inbox-locked'
  | 'mailbox-failed'
  | 'nested-fork'
  | 'open-round';

export interface ForkErrorOptions {
  readonly cause?: unknown;
  /** Of `cold-prefix`: what differs, and the price both ways. */
  readonly plan?: ForkPlan;
}

const MARK = Symbol.for('@varve/fork-agent/error');

/** The one error this package throws, apart from `AbortError`. Its message never holds text of a conversation. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
  readonly code: ForkErrorCode;
  declare readonly plan?: ForkPlan;
  readonly [MARK] = true;

  constructor(code: ForkErrorCode, message: string, { cause, plan }: ForkErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    if (plan) this.plan = plan;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static is(value: unknown): value is ForkError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
