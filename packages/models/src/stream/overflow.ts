import { isText, promptTokens } from '@varve/messages';
import { ModelError } from '../error.ts';
import { findOverflow } from '../errors/overflow-wordings.ts';
import type { ModelResponse } from '../types.ts';

/**
 * Finds overflows that no error tells of. An answer that is nothing but a gateway's error text throws; numbers that
 * contradict the window are reported with the answer, because a single usage report can be wrong.
 *
 * @throws ModelError `silent-overflow`
 */
export function checkOverflow(
  response: ModelResponse,
  windowTokens: number | undefined,
): ModelResponse {
  const used = promptTokens(response.usage);
  const numbers = errorTextNumbers(response, used, windowTokens);
  if (numbers) {
    const message =
      'The answer is only an error text about the context window; shorten the prompt.';
    throw new ModelError('silent-overflow', message, { ...numbers, usage: response.usage });
  }
  if (windowTokens === undefined) return response;
  const kind = used > windowTokens ? 'usage-above-window' : noRoom(response, used, windowTokens);
  return kind ? { ...response, overflow: { kind, promptTokens: used, windowTokens } } : response;
}

/** A model may be asked to repeat such a text, so the bill has to agree: nothing was billed, or the window is full. */
function errorTextNumbers(response: ModelResponse, used: number, windowTokens = Infinity) {
  const { content, usage } = response;
  const [first] = content;
  if (content.length !== 1 || !first || !isText(first)) return undefined;
  if (first.text.length > LONGEST_ERROR_TEXT) return undefined;
  const isBilled = usage.output_tokens > 0 && used > 0 && used < windowTokens * FULL;
  return isBilled ? undefined : findOverflow(first.text);
}

function noRoom({ stopReason, usage }: ModelResponse, used: number, windowTokens: number) {
  const isCut = stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
  const isFull = used >= windowTokens * FULL;
  return isCut && usage.output_tokens <= 1 && isFull ? 'no-room-for-output' : undefined;
}

/** Share of the window from which it counts as full; counts of gateways are a little off. */
const FULL = 0.99;

/** Characters. */
const LONGEST_ERROR_TEXT = 1_000;
