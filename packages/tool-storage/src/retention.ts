// Which stored results a log refers to, and the removal of old ones.
export { handlesIn } from './envelope.ts';
export { keyOf } from './keys.ts';
export { sweep } from './sweep.ts';
