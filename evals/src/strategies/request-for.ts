import type { Message, Request } from '@varve/messages';
import type { StrategyContext } from '../strategy.ts';

/** A request with the recorded head, a copy of `messages`, and markers left to the replay. */
export function requestFor(
  { head, model }: Pick<StrategyContext, 'head' | 'model'>,
  messages: readonly Message[],
): Request {
  const { maxOutputTokens = ASSUMED_OUTPUT_TOKENS } = model;
  return { head, messages: [...messages], markers: [], maxOutputTokens };
}

/** Output limit where the model table has none; it costs nothing and limits nothing here. */
const ASSUMED_OUTPUT_TOKENS = 32_000;
