import type { ModelError } from '@varve/models';
import { toModelError } from '@varve/models/errors';

/** What was tried in this turn of the user; plain data. */
export interface RecoveryState {
  readonly committed: boolean;
  readonly compacted: boolean;
}

/** At the start of every turn of the user. */
export const NEW_RECOVERY: RecoveryState = { committed: false, compacted: false };

export interface RecoverySteps {
  /** Commits all spans that collapse has staged; false where there are none. */
  readonly commitStaged?: (() => Promise<boolean> | boolean) | undefined;
  /**
   * Takes images and documents out of the conversation that are too large or that the provider cannot read; `place` is where it
   * found fault.
   */
  readonly stripMedia?:
    | ((place: ModelError['place'], code: ModelError['code']) => Promise<boolean> | boolean)
    | undefined;
  /** Compacts once, with `tooLong: 'peel'`; false where it failed. An abort is thrown. */
  readonly compact: () => Promise<boolean>;
}

export type Recovery =
  /** Build the request again and send it. Nobody is shown the error. */
  | {
      readonly kind: 'retry';
      readonly step: 'committed' | 'stripped' | 'compacted';
      readonly state: RecoveryState;
    }
  /** Show the first error of the turn. */
  | {
      readonly kind: 'show';
      readonly error: ModelError;
      readonly reason: NoRecovery;
      readonly state: RecoveryState;
    };

export type NoRecovery =
  | 'not-too-long'
  | 'disabled'
  | 'already-tried'
  | 'compaction-failed'
  | 'nothing-to-strip';

export interface RecoverOptions {
  /** The error of the main call. */
  readonly error: unknown;
  /** The error that was withheld earlier in this turn; it is shown where recovery ends. */
  readonly firstError?: ModelError | undefined;
  readonly state: RecoveryState;
  readonly steps: RecoverySteps;
  /** The plain switch of automatic compaction, and nothing else. @default true */
  readonly enabled?: boolean | undefined;
}

/**
 * What to do when a request was refused because it is too long, or holds media that are too large or cannot be read. Each of the two steps
 * happens once in a turn of the user, so at most two requests more are sent.
 *
 * @throws the signal's reason, an `AbortError` unless one was given, from a step
 */
export async function recover(options: RecoverOptions): Promise<Recovery> {
  const { state, steps, enabled = true } = options;
  const error = toModelError(options.error);
  const show = (reason: NoRecovery, after = state): Recovery => ({
    kind: 'show',
    error: options.firstError ?? error,
    reason,
    state: after,
  });
  if (error.code === UNREADABLE) return enabled ? withoutUnreadable() : show('disabled');
  if (!RECOVERABLE.has(error.code)) return show('not-too-long');
  if (!enabled) return show('disabled');
  if (!state.committed) {
    const after = { ...state, committed: true };
    const step = await firstStep(error, steps);
    if (step) return { kind: 'retry', step, state: after };
    return compactOnce(after);
  }
  return compactOnce(state);

  /** The block that was named, then all that may be meant. Nothing is compacted: no summary makes them readable. */
  async function withoutUnreadable(): Promise<Recovery> {
    if (state.compacted) return show('already-tried');
    const after = state.committed ? { ...state, compacted: true } : { ...state, committed: true };
    const place = state.committed ? undefined : error.place;
    const isStripped = await steps.stripMedia?.(place, error.code);
    return isStripped
      ? { kind: 'retry', step: 'stripped', state: after }
      : show('nothing-to-strip');
  }

  async function compactOnce(before: RecoveryState): Promise<Recovery> {
    if (before.compacted) return show('already-tried', before);
    const after = { ...before, compacted: true };
    const worked = await steps.compact();
    return worked
      ? { kind: 'retry', step: 'compacted', state: after }
      : show('compaction-failed', after);
  }
}

/** Media that are too large go first: no summary makes them smaller. */
async function firstStep(
  error: ModelError,
  { commitStaged, stripMedia }: RecoverySteps,
): Promise<'stripped' | 'committed' | undefined> {
  if (MEDIA.has(error.code) && (await stripMedia?.(error.place, error.code))) return 'stripped';
  return (await commitStaged?.()) ? 'committed' : undefined;
}

const UNREADABLE = 'media-unreadable' satisfies ModelError['code'];
const MEDIA: ReadonlySet<string> = new Set(['media-too-large', 'request-too-large']);
const RECOVERABLE: ReadonlySet<string> = new Set([...MEDIA, 'prompt-too-long', 'silent-overflow']);
