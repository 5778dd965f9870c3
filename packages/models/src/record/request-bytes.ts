import { fingerprint, type Request, stableStringify } from '@varve/messages';

/** What of a request reaches a provider, as stable bytes: ids, times and origins of messages do not. */
export function requestBytes({
  head,
  messages,
  markers,
  server,
  maxOutputTokens,
}: Request): string {
  const { model, system, tools, params } = head;
  return stableStringify({
    head: { model, system, tools, params },
    markers,
    maxOutputTokens,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(server && { server }),
  });
}

export const requestKey = (bytes: string): string => fingerprint(bytes);
