import type { Request } from '@varve/messages';
import type { ModelClient, ModelResponse, StreamOptions } from './types.ts';

/**
 * Sends a request and waits for the whole answer.
 *
 * @throws ModelError
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export function send(
  client: ModelClient,
  request: Request,
  options: StreamOptions = {},
): Promise<ModelResponse> {
  return client.stream(request, options).response();
}
