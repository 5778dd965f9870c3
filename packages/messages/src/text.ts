// Texts cut to a length, never inside of a surrogate pair.
export { cutMiddle, cutText } from './cut-text.ts';
