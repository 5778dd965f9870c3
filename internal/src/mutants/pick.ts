import { type Mutant, OPERATORS } from './mutations.ts';

/**
 * So many of the mutants, the same for the same seed: operators take turns, so that a rare one, such as a deleted flush,
 * comes in among the many swapped constants. No line is mutated twice before each has been once.
 */
export function pickMutants(
  mutants: readonly Mutant[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Mutant[] {
  const random = randomFrom(seed);
  const waiting = new Map(
    OPERATORS.map((operator) => [
      operator,
      shuffled(
        mutants.filter((each) => each.operator === operator),
        random,
      ),
    ]),
  );
  const picked: Mutant[] = [];
  const lines = new Set<string>();
  /** Takes one of each operator in turn, as long as there is one that `mayTake` lets in. */
  const takeTurns = (mayTake: (mutant: Mutant) => boolean): void => {
    for (let before = -1; before < picked.length; ) {
      before = picked.length;
      for (const queue of waiting.values()) {
        const at = queue.findIndex(mayTake);
        if (at === -1 || picked.length >= count) continue;
        const [mutant] = queue.splice(at, 1) as [Mutant];
        lines.add(placeOf(mutant));
        picked.push(mutant);
      }
    }
  };
  takeTurns((mutant) => !lines.has(placeOf(mutant)));
  takeTurns(() => true);
  return picked;
}

const placeOf = ({ file, line }: Mutant): string => `${file}:${line}`;

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as Item, copy[at] as Item];
  }
  return copy;
}

/** Numbers from 0 up to 1, always the same ones for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
