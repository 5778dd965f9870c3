import { VarveError } from '@varve/guards';
import type { Usage } from '@varve/messages';

/** Why a request failed; each is explained in the README. */
export type ModelErrorCode =
  | 'auth'
  | 'bad-recording'
  | 'billing'
  | 'conflict'
  | 'connection'
  | 'invalid-request'
  | 'media-too-large'
  | 'media-unreadable'
  | 'no-recording'
  | 'not-found'
  | 'out-of-order'
  | 'overloaded'
  | 'prompt-too-long'
  | 'rate-limited'
  | 'recording-failed'
  | 'refused'
  | 'request-too-large'
  | 'server-error'
  | 'silent-overflow'
  | 'stream-broken'
  | 'timeout'
  | 'unused-recording';

/** What an error carries where the provider said it. */
export interface ModelErrorFacts {
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Tokens of the prompt (with the output asked for, where the provider counts both). */
  readonly actualTokens?: number;
  /** Most tokens the provider takes. */
  readonly limitTokens?: number;
  readonly actualBytes?: number;
  readonly limitBytes?: number;
  /** Where the provider found fault, counted in the messages as they were sent. */
  readonly place?: { readonly messageIndex: number; readonly blockIndex?: number };
  readonly status?: number;
  readonly requestId?: string;
  /** The provider's own code or type. */
  readonly providerCode?: string;
  /** What a broken stream had reported as billed; not final. */
  readonly usage?: Usage;
  /** Of `no-recording`: the first place where the nearest recorded request differs. */
  readonly difference?: RequestDifference;
}

/** The first place where two requests differ, with a few characters of both sides around it. */
export interface RequestDifference {
  /** E.g. `messages[3].content[0].text`. */
  readonly path: string;
  readonly recorded: string;
  readonly asked: string;
}

export interface ModelErrorOptions extends ModelErrorFacts {
  readonly cause?: unknown;
}

/** The one error this package throws, apart from the reason of an abort. Its message never holds text of a prompt or an answer. */
export class ModelError extends VarveError<ModelErrorCode> implements ModelErrorFacts {
  readonly retryable: boolean;
  declare readonly retryAfterMs?: number;
  declare readonly actualTokens?: number;
  declare readonly limitTokens?: number;
  declare readonly actualBytes?: number;
  declare readonly limitBytes?: number;
  declare readonly place?: { readonly messageIndex: number; readonly blockIndex?: number };
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly providerCode?: string;
  declare readonly usage?: Usage;
  declare readonly difference?: RequestDifference;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions = {}) {
    const { cause, retryable = false, ...facts } = options;
    super(code, message, { cause });
    this.retryable = retryable;
    Object.assign(this, facts);
  }

  override get name() {
    return 'ModelError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is ModelError {
    return VarveError.is(value, 'ModelError');
  }
}
