// The least that a message and a block have to be, and what kind of block one is.
export { isMedia, isThought } from './guards.ts';
export { type BlockLike, blocksOf, type MessageLike } from './like.ts';
export { readPlain } from './plain-value.ts';
export { canCarryMarker } from './validity-markers.ts';
