import type { Message } from '@varve/messages';

type SizeOf = (message: Message) => number;

/** Running totals of a list that mostly grows. */
export interface Sums {
  /** The list is another one from this position on. */
  changed(from: number): void;
  /** Tokens of all messages; sizes only what it has not seen. Another `sizeOf` starts anew. */
  total(messages: readonly Message[], sizeOf: SizeOf): number;
}

export function createSums(): Sums {
  const sums: number[] = [];
  let sizedBy: SizeOf | undefined;
  return {
    changed(from) {
      if (from < sums.length) sums.length = from;
    },
    total(messages, sizeOf) {
      if (sizedBy !== sizeOf || sums.length > messages.length) sums.length = 0;
      sizedBy = sizeOf;
      for (let index = sums.length; index < messages.length; index++) {
        sums.push((sums.at(-1) ?? 0) + sizeOf(messages[index] as Message));
      }
      return sums.at(-1) ?? 0;
    },
  };
}
