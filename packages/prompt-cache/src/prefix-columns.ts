/**
 * The prefix of a request as a row of positions, one for each block: a running hash of everything up to there, the tokens
 * up to there, and what the block is. Two requests share their first n positions exactly when the hash at n is equal.
 */
export interface PrefixColumns {
  /** Three 32-bit words a position. */
  hashes: Int32Array;
  /** Tokens from the start of the prompt to the end of the position. */
  tokens: Float64Array;
  kinds: Uint8Array;
  /** Positions in use. */
  length: number;
  /** How many of them the request before had as well. */
  shared: number;
  /** Positions of the request before. */
  previousLength: number;
  /** How many leading positions have tokens that were billed, not estimated. */
  anchored: number;
}

/** What stands at a position. A boundary has no tokens and is not a place: it carries what a section depends on. */
export const KIND = { other: 0, toolUse: 1, toolResult: 2, boundary: 3 } as const;

/** What a position is made of: a number that stands for its exact bytes, where it stands, and its tokens. */
export interface Part {
  readonly id: number;
  readonly place: number;
  readonly tokens: number;
  readonly kind: number;
}

export function createColumns(): PrefixColumns {
  return {
    hashes: new Int32Array(3 * 64),
    tokens: new Float64Array(64),
    kinds: new Uint8Array(64),
    length: 0,
    shared: 0,
    previousLength: 0,
    anchored: 0,
  };
}

/** An independent copy, for a thread that forks off. */
export function copyColumns(columns: PrefixColumns): PrefixColumns {
  return {
    ...columns,
    hashes: columns.hashes.slice(),
    tokens: columns.tokens.slice(),
    kinds: columns.kinds.slice(),
  };
}

/** Keeps the first `length` positions and takes all of them as shared; `push` adds the rest. */
export function restart(columns: PrefixColumns, length: number): void {
  columns.previousLength = columns.length;
  columns.length = length;
  columns.shared = length;
}

/**
 * Adds a position. It is shared if the request before had the same one and nothing before it differs; then it keeps the
 * tokens it was billed with.
 */
export function push(columns: PrefixColumns, part: Part): void {
  const position = columns.length;
  reserve(columns, position + 1);
  const isShared = writeHash(columns, position, part);
  if (isShared) columns.shared += 1;
  else columns.anchored = Math.min(columns.anchored, position);
  if (position >= columns.anchored) {
    columns.tokens[position] = tokensOf(columns, position) + part.tokens;
  }
  columns.kinds[position] = part.kind;
  columns.length = position + 1;
}

/** Chains the hash of a position to the one before; true if the request before had the same there. */
function writeHash(columns: PrefixColumns, position: number, { id, place }: Part): boolean {
  const { hashes } = columns;
  const at = position * 3;
  const from = at - 3;
  const a = mix((position === 0 ? 1 : (hashes[from] as number)) ^ id, 0x9e3779b1 + place);
  const b = mix((position === 0 ? 2 : (hashes[from + 1] as number)) + id, 0x85ebca6b ^ a);
  const c = mix((position === 0 ? 3 : (hashes[from + 2] as number)) ^ b, 0xc2b2ae35 + id);
  const isShared =
    columns.shared === position &&
    position < columns.previousLength &&
    hashes[at] === a &&
    hashes[at + 1] === b &&
    hashes[at + 2] === c;
  hashes[at] = a;
  hashes[at + 1] = b;
  hashes[at + 2] = c;
  return isShared;
}

/** Tokens of the first `count` positions. */
export function tokensOf(columns: PrefixColumns, count: number): number {
  return count === 0 ? 0 : (columns.tokens[count - 1] as number);
}

/** The hash of a position as a number that is safe as a key of a map; `checkOf` holds the rest of its bits. */
export function keyOf(columns: PrefixColumns, position: number): number {
  const high = (columns.hashes[position * 3] as number) >>> 11;
  return high * 0x1_0000_0000 + ((columns.hashes[position * 3 + 1] as number) >>> 0);
}

export function checkOf(columns: PrefixColumns, position: number): number {
  return columns.hashes[position * 3 + 2] as number;
}

function mix(value: number, salt: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x85ebca6b) ^ salt;
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

function reserve(columns: PrefixColumns, length: number): void {
  if (length <= columns.kinds.length) return;
  const size = Math.max(length, columns.kinds.length * 2);
  const { hashes, tokens, kinds } = columns;
  columns.hashes = new Int32Array(size * 3);
  columns.hashes.set(hashes);
  columns.tokens = new Float64Array(size);
  columns.tokens.set(tokens);
  columns.kinds = new Uint8Array(size);
  columns.kinds.set(kinds);
}
