import type { Trigger } from '../types.ts';

/** What decides whether automatic compaction may try again; plain data that a loop keeps, or a planner folds from its log. */
export interface BreakerState {
  /** Automatic attempts that failed in a row. */
  readonly failures: number;
  /** Automatic compactions in a row that each came within a few requests of the one before, in one turn of the user. */
  readonly rapid: number;
  /** Requests since the newest compaction; undefined before the first. */
  readonly requestsSince: number | undefined;
  /** Stopped because compactions gained nothing, and said so, until a person speaks or compacts. */
  readonly paused: boolean;
}

export const NEW_BREAKER: BreakerState = {
  failures: 0,
  rapid: 0,
  requestsSince: undefined,
  paused: false,
};

export type BreakerEvent =
  | { readonly kind: 'compacted' | 'failed' | 'aborted'; readonly trigger: Trigger }
  /** The model replied. */
  | { readonly kind: 'request' }
  /** A decision said `no-headroom` for the first time, and the person was told. */
  | { readonly kind: 'paused' }
  /** A person spoke. */
  | { readonly kind: 'user-turn' };

/** Attempts that fail in a row stop automatic compaction for the rest of the session, until one by hand succeeds. */
export const MOST_FAILURES = 3;
/** Compactions that gain nothing stop it until a person speaks. */
const MOST_RAPID = 2;
/** A compaction gained nothing where so few requests later the next one is due. */
const RAPID_REQUESTS = 3;

/** The state after something happened. An abort changes nothing; whatever succeeds ends a run of failures. */
export function nextBreaker(state: BreakerState, event: BreakerEvent): BreakerState {
  switch (event.kind) {
    case 'request':
      if (state.requestsSince === undefined) return state;
      return { ...state, requestsSince: state.requestsSince + 1 };
    case 'user-turn':
      return state.rapid === 0 ? state : { ...state, rapid: 0, paused: false };
    case 'paused':
      return { ...state, paused: true };
    case 'failed':
      return event.trigger === 'auto' ? { ...state, failures: state.failures + 1 } : state;
    case 'compacted': {
      const rapid = event.trigger === 'manual' ? 0 : isRapid(state) ? state.rapid + 1 : 1;
      const paused = event.trigger !== 'manual' && state.paused;
      return { failures: 0, rapid, requestsSince: 0, paused };
    }
    default:
      return state;
  }
}

/** Whether the next automatic compaction would come right after the last one, which gained too little for it to help. */
export const isThrashing = (state: BreakerState): boolean =>
  state.paused || (state.rapid >= MOST_RAPID && isRapid(state));

const isRapid = ({ requestsSince, rapid }: BreakerState): boolean =>
  rapid > 0 && requestsSince !== undefined && requestsSince <= RAPID_REQUESTS;
