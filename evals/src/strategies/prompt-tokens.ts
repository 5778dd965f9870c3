import type { Request } from '@varve/messages';
import type { StrategyContext } from '../strategy.ts';

/** Tokens of a prompt, as a provider that counts like the replay bills them. */
export const promptTokens = (
  { head, messages }: Pick<Request, 'head' | 'messages'>,
  { sizeOf }: Pick<StrategyContext, 'sizeOf'>,
): number => messages.reduce((sum, message) => sum + sizeOf(message), sizeOf(head));
