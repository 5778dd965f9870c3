// Texts cut to a length, never inside of a surrogate pair; and a text without the larger one it was cut from.
export { cutMiddle, cutText } from './cut-text.ts';
export { ownText } from './own-text.ts';
