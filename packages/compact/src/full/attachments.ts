import { orAborted } from './call.ts';
import type { Situation } from './situation.ts';

/** Asks a caller what follows what is kept. */
export type Attach<A> = (kept: readonly A[]) => Promise<readonly A[]> | readonly A[];

/** @throws DOMException `AbortError` */
export async function askAttachments<A>(
  attach: Attach<A> | undefined,
  kept: readonly A[],
  signal: AbortSignal | undefined,
): Promise<readonly A[]> {
  return orAborted(Promise.resolve(attach?.(kept) ?? []), signal);
}

/** As many attachments, from the first on, as the next request has room for, and their tokens. */
export function fitAttachments<A>(
  attachments: readonly A[],
  sizeOf: (attachment: A) => number,
  {
    effectiveTokens,
    tokensAfter,
  }: Pick<Situation, 'effectiveTokens'> & { readonly tokensAfter: number },
): { readonly attached: readonly A[]; readonly attachedTokens: number } {
  let attachedTokens = 0;
  const attached: A[] = [];
  for (const attachment of attachments) {
    const tokens = sizeOf(attachment);
    if (tokensAfter + attachedTokens + tokens >= effectiveTokens) break;
    attachedTokens += tokens;
    attached.push(attachment);
  }
  return { attached, attachedTokens };
}
