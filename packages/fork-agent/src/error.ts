import { VarveError } from '@varve/guards';
import type { ForkPlan } from './fork-price.ts';

/** Why a fork, an agent or a mailbox refused; each is explained in the README. */
export type ForkErrorCode =
  | 'bad-mail'
  | 'bound-thinking'
  | 'cold-prefix'
  | 'empty-parent'
  | 'inbox-locked'
  | 'inbox-lost'
  | 'mailbox-failed'
  | 'message-too-large'
  | 'nested-fork'
  | 'open-round';

export interface ForkErrorOptions {
  readonly cause?: unknown;
  /** Of `cold-prefix`: what differs, and the price both ways. */
  readonly plan?: ForkPlan;
}

/** The one error this package throws, apart from the reason of an abort. Its message never holds text of a conversation. */
export class ForkError extends VarveError<ForkErrorCode> {
  declare readonly plan?: ForkPlan;

  constructor(code: ForkErrorCode, message: string, { cause, plan }: ForkErrorOptions = {}) {
    super(code, message, { cause });
    if (plan) this.plan = plan;
  }

  override get name() {
    return 'ForkError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is ForkError {
    return VarveError.is(value, 'ForkError');
  }
}
