import type { Request } from '@varve/messages';
import type { Account, Served } from '../cache/account.ts';
import type { Call } from './endpoint.ts';

export interface Billing {
  readonly request: Request;
  readonly outputTokens: number;
}

/** Names the conversation of a request, where its messages alone cannot tell. */
export const THREAD_HEADER = 'x-varve-thread';

/**
 * Bills a request once its reply is known: it began when it came in, and its first token comes now, so requests that
 * overlap do not read what the others are still writing.
 */
export function serve(call: Call, account: Account, { request, outputTokens }: Billing): Served {
  const { state, startMs, http } = call;
  const firstTokenMs = Math.max(startMs, state.now()) + state.firstTokenDelayMs;
  const thread = http.headers[THREAD_HEADER];
  return account.serve(request, { startMs, firstTokenMs, outputTokens, thread });
}
