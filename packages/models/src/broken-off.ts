import { ModelError } from './error.ts';

/** For an answer whose events end without the one that says that it is whole. */
export function brokenOff(): ModelError {
  const message =
    'The answer broke off before its end; what had arrived is not whole. Send the request again.';
  return new ModelError('stream-broken', message, { retryable: true });
}
