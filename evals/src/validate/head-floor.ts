import type { Estimator } from '@varve/tokens';
import type { RecordedRequest } from './recorded-request.ts';

/**
 * Tokens of system prompt and tools, which a transcript lacks: what is left of the cache when the messages are lost.
 * Learned only from bills before the request it is asked for.
 */
export interface HeadFloor {
  tokens(): number;
  /** Whether the head alone outlived the last expiry: another session of the same agent keeps it warm. */
  isKeptWarm(): boolean;
  observe(request: RecordedRequest, seen: SeenLoss): void;
}

/** What the rules said about a request before its bill came. */
export interface SeenLoss {
  readonly isFirst: boolean;
  readonly isExpired: boolean;
  /** Tokens that the request before had left in the cache. */
  readonly reusable: number;
}

export interface HeadFloorOptions {
  readonly estimator: Estimator;
  /** A first request reads the head that others wrote, and nothing else. */
  readonly learnsFromFirst: boolean;
}

const MIN_HEAD_TOKENS = 500;
const LOST_SHARE = 0.8;

/** Starts from what the first prompt holds beyond its messages. */
export function createHeadFloor(
  first: RecordedRequest,
  { estimator, learnsFromFirst }: HeadFloorOptions,
): HeadFloor {
  const shown = first.view.messages.reduce((sum, message) => sum + estimator.message(message), 0);
  let tokens = Math.max(MIN_HEAD_TOKENS, first.billed.total - shown);
  let keptWarm = false;
  return {
    tokens: () => tokens,
    isKeptWarm: () => keptWarm,
    observe({ billed: { read, total }, since }, { isFirst, isExpired, reusable }) {
      const isReset = since.edits.length > 0 || since.signals.some(({ kind }) => kind === 'resume');
      const isHeadOnly = read > 0 && read < LOST_SHARE * reusable;
      if (isFirst && learnsFromFirst && read > 0) tokens = read;
      if (isReset && isHeadOnly) tokens = read;
      if (!isExpired) return;
      keptWarm = read > 0 && read < total / 2;
      if (keptWarm) tokens = read;
    },
  };
}
