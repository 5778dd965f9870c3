import type { Message } from '@varve/messages';
import { demandOf } from './demand.ts';
import { forEachShownText } from './shown-text.ts';
import { forEachUnit } from './units.ts';

/** Which units a session holds and which its calls use, as sorted hashes: small enough to send between threads. */
export interface Vocabulary {
  readonly shown: Float64Array;
  readonly demanded: Float64Array;
}

/** Reads the vocabulary of a history. */
export function vocabularyOf(history: readonly Message[]): Vocabulary {
  const shown = new Set<number>();
  const demanded = new Set<number>();
  for (const message of history) {
    forEachShownText(message, (text) => forEachUnit(text, (unit) => shown.add(hashUnit(unit))));
    if (message.role === 'assistant')
      for (const unit of demandOf(message)) demanded.add(hashUnit(unit));
  }
  return { shown: sorted(shown), demanded: sorted(demanded) };
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
