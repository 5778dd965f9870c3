// The handle of a result that is stored whole, and the envelope that stands in its place.
export { STORED_TAG, safeFileName, storedHandle, storedHandleOf } from './stored-result.ts';
