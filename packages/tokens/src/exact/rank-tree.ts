/** Ranks at positions, of which the lowest is known at any time. */
export interface RankTree {
  /** Starts anew with `length` positions: `put` each of them, then `build`. */
  reset(length: number): void;

  put(position: number, rank: number): void;
  build(): void;
  /** The lowest rank, or `NO_RANK`. */
  lowest(): number;
  /** The first position that has the lowest rank. */
  first(): number;
  /** Replaces the rank at a position; `NO_RANK` takes it out. */
  set(position: number, rank: number): void;
}

/** Higher than any rank. */
export const NO_RANK = 0x7f_ff_ff_ff;

const LARGEST_KEPT = 2 ** 17;

/**
 * Creates a tournament tree: its leaves are the ranks, and each inner node holds the lower of the two below it. Replacing a
 * rank and finding the lowest take a few steps a level.
 */
export function createRankTree(): RankTree {
  let nodes = new Int32Array(0);
  let leaves = 1;

  const lower = (node: number): number =>
    Math.min(nodes[2 * node] as number, nodes[2 * node + 1] as number);

  return {
    reset: (length) => {
      leaves = 1;
      while (leaves < length) leaves *= 2;
      const isTooLarge = nodes.length > LARGEST_KEPT && 2 * leaves <= LARGEST_KEPT;
      if (nodes.length < 2 * leaves || isTooLarge) nodes = new Int32Array(2 * leaves);
      nodes.fill(NO_RANK, leaves + length, 2 * leaves);
    },
    put: (position, rank) => {
      nodes[leaves + position] = rank;
    },
    build: () => {
      for (let node = leaves - 1; node > 0; node--) nodes[node] = lower(node);
    },
    lowest: () => nodes[1] as number,
    first: () => {
      const lowest = nodes[1];
      let node = 1;
      while (node < leaves) node = nodes[2 * node] === lowest ? 2 * node : 2 * node + 1;
      return node - leaves;
    },
    set: (position, rank) => {
      let node = leaves + position;
      nodes[node] = rank;
      for (node >>= 1; node > 0; node >>= 1) {
        const lowest = lower(node);
        if (nodes[node] === lowest) return;
        nodes[node] = lowest;
      }
    },
  };
}
