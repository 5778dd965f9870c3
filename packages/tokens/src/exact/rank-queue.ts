/** Positions waiting under a rank, lowest rank first. A position waits under one rank at most. */
export interface RankQueue {
  /** Makes room for positions below this number; the queue must be empty. */
  reserve(positions: number): void;
  /** Lowest rank that has positions, or -1. */
  lowest(): number;
  add(rank: number, position: number): void;
  /** Does nothing where the position does not wait. */
  remove(position: number): void;
  /** Takes all positions of a rank out, in ascending order. */
  take(rank: number): Int32Array;
}

const NONE = -1;

/**
 * Creates an empty queue. Positions of one rank hang in a doubly linked list, so that adding and removing take constant
 * time; only the ranks in use lie in a heap, and most long texts use few.
 */
export function createRankQueue(ranks: number): RankQueue {
  const heads = new Int32Array(ranks).fill(NONE);
  const tails = new Int32Array(ranks).fill(NONE);
  const sizes = new Int32Array(ranks);
  const inHeap = new Uint8Array(ranks);
  const heap = createHeap();
  let next = new Int32Array(0);
  let previous = new Int32Array(0);
  let waiting = new Int32Array(0);

  const reserve = (positions: number): void => {
    if (positions > next.length || next.length > 8 * positions + LARGEST_KEPT) {
      next = new Int32Array(positions);
      previous = new Int32Array(positions);
      waiting = new Int32Array(positions).fill(NONE);
    }
  };
  const add = (rank: number, position: number): void => {
    const tail = tails[rank] as number;
    if (tail === NONE) heads[rank] = position;
    else next[tail] = position;
    previous[position] = tail;
    next[position] = NONE;
    tails[rank] = position;
    waiting[position] = rank;
    (sizes[rank] as number) += 1;
    if (inHeap[rank] === 1) return;
    inHeap[rank] = 1;
    heap.push(rank);
  };
  const remove = (position: number): void => {
    const rank = waiting[position] as number;
    if (rank === NONE) return;
    const before = previous[position] as number;
    const after = next[position] as number;
    if (before === NONE) heads[rank] = after;
    else next[before] = after;
    if (after === NONE) tails[rank] = before;
    else previous[after] = before;
    waiting[position] = NONE;
    (sizes[rank] as number) -= 1;
  };
  const lowest = (): number => {
    while (heap.size() > 0 && heads[heap.top()] === NONE) inHeap[heap.pop()] = 0;
    return heap.size() === 0 ? NONE : heap.top();
  };
  const take = (rank: number): Int32Array => {
    const list = new Int32Array(sizes[rank] as number);
    let at = heads[rank] as number;
    for (let index = 0; index < list.length; index++) {
      list[index] = at;
      waiting[at] = NONE;
      at = next[at] as number;
    }
    heads[rank] = NONE;
    tails[rank] = NONE;
    sizes[rank] = 0;
    return isAscending(list) ? list : list.sort();
  };
  return { reserve, lowest, add, remove, take };
}

// Buffers up to this many positions stay for the next piece.
const LARGEST_KEPT = 65_536;

function isAscending(list: Int32Array): boolean {
  for (let index = 1; index < list.length; index++) {
    if ((list[index] as number) < (list[index - 1] as number)) return false;
  }
  return true;
}

function createHeap() {
  const items: number[] = [];
  const at = (index: number): number => items[index] as number;

  const push = (item: number): void => {
    let index = items.push(item) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && at(parent) > item; parent = (index - 1) >> 1) {
      items[index] = at(parent);
      index = parent;
    }
    items[index] = item;
  };
  const pop = (): number => {
    const top = at(0);
    const last = items.pop() as number;
    if (items.length === 0) return top;
    let index = 0;
    for (let child = 1; child < items.length; child = 2 * index + 1) {
      if (child + 1 < items.length && at(child + 1) < at(child)) child++;
      if (at(child) >= last) break;
      items[index] = at(child);
      index = child;
    }
    items[index] = last;
    return top;
  };
  return { push, pop, top: () => at(0), size: () => items.length };
}
