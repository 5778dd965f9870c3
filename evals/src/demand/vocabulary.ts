import type { Message } from '@varve/messages';
import { demandOf, namedIn } from './demand.ts';
import { forEachShownText } from './shown-text.ts';
import { forEachUnit } from './units.ts';

/** Which units a session holds, as sorted hashes: small enough to send between threads. */
export interface Vocabulary {
  /** All units. */
  readonly shown: Float64Array;
  /** Those that are paths of two segments. */
  readonly paths: Float64Array;
  /** Those that the session's calls use or its replies name. */
  readonly demanded: Float64Array;
}

/** Reads the vocabulary of a history. */
export function vocabularyOf(history: readonly Message[]): Vocabulary {
  const shown = new Set<number>();
  const paths = new Set<number>();
  const demanded = new Set<number>();
  const visit = (unit: string): void => {
    const hash = hashUnit(unit);
    shown.add(hash);
    if (PATH.test(unit)) paths.add(hash);
  };
  for (const message of history) {
    forEachShownText(message, (text) => forEachUnit(text, visit));
    if (message.role === 'assistant')
      for (const unit of [...demandOf(message), ...namedIn(message)]) demanded.add(hashUnit(unit));
  }
  return { shown: sorted(shown), paths: sorted(paths), demanded: sorted(demanded) };
}

/** A 53-bit hash: among a million units two share one with a chance of 1 in 18,000. */
export function hashUnit(unit: string): number {
  let [low, high] = [0x243f6a88, 0x85a308d3];
  for (let index = 0; index < unit.length; index++) {
    const code = unit.charCodeAt(index);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x85ebca6b);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

const sorted = (hashes: ReadonlySet<number>): Float64Array => Float64Array.from(hashes).sort();

const PATH = /^[^\s/]+\/[^\s/]+$/;
