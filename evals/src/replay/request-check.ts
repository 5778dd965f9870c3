import { checkRequest, type Message, type ProviderProfile, type Request } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import { checkMarkers } from '@varve/prompt-cache/server';
import { createWeights } from './message-weight.ts';

/** The codes of the rules that a request breaks, each once. */
export type RequestCheck = (request: Request) => readonly string[];

/**
 * `checkRequest` of `@varve/messages` for a run of requests, with the same codes: what an accepted request held by
 * reference, up to the last round that is still whole, is not read again.
 */
export function createRequestCheck(usual: ProviderProfile, policy: CachePolicy): RequestCheck {
  const weigh = createWeights();
  let accepted: Request | undefined;
  const isNearLimits = ({ messages }: Request): boolean => {
    const { characters, media } = weigh(messages);
    const { maxRequestBytes = Infinity, maxMedia = Infinity, maxMessages = Infinity } = usual;
    return characters * 2 > maxRequestBytes || media > maxMedia || messages.length > maxMessages;
  };
  return (request) => {
    const profile = profileFor(request, usual);
    const start = accepted && !isNearLimits(request) ? wholeUpTo(accepted, request) : 0;
    const violations =
      accepted && start > 0
        ? [
            ...checkRequest(newPart(request, start, accepted), profile),
            ...checkMarkers(request, policy),
          ]
        : checkRequest(request, profile);
    if (violations.length === 0) accepted = request;
    return [...new Set(violations.map(({ code }) => code))];
  };
}

/** What a provider is asked to compact may end with a reply (API reference, "Compaction on demand"). */
const profileFor = ({ server }: Request, profile: ProviderProfile): ProviderProfile =>
  server?.compaction === undefined ? profile : { ...profile, prefill: true };

/** Where the last reply that both requests hold begins; 0 where nothing can be left out. */
function wholeUpTo(accepted: Request, { messages }: Request): number {
  const length = Math.min(accepted.messages.length, messages.length);
  let shared = 0;
  while (shared < length && accepted.messages[shared] === messages[shared]) shared++;
  if (messages[0]?.role !== 'user') return 0;
  for (let at = shared - 1; at > 0; at--) {
    if (messages[at]?.role === 'assistant' && messages[at - 1]?.role !== 'assistant') return at;
  }
  return 0;
}

/** The first message, which is a user's, and everything from `start` on; the head if it is not the accepted one. */
function newPart(request: Request, start: number, accepted: Request) {
  const { head, maxOutputTokens, messages } = request;
  const isKnown = head === accepted.head && maxOutputTokens === accepted.maxOutputTokens;
  const part: readonly Message[] = [messages[0] as Message, ...messages.slice(start)];
  return { messages: part, maxOutputTokens, ...(isKnown ? {} : { head }) };
}
