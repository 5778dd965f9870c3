// Part of checker.
export { isShort } from './is-short.mjs';
export { startsLarge } from './starts-large.mjs';
