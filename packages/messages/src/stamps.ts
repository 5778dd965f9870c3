// Which prefix a reply was made for, whether it still stands, and how much of it two histories share.
export { createSharedStart } from './shared-start.ts';
export { createRequestStamp, headFingerprint, prefixFingerprint, stampHolds } from './stamp.ts';
