import type { Json, JsonObject } from '@varve/messages';
import type { Candidate, Candidates } from './candidate.ts';

/** Deletions that a request carries in one place of its history. */
export interface CacheEdits {
  /** The message they are attached to, always the same one. */
  readonly messageId: string;
  readonly edits: readonly { readonly type: 'delete'; readonly cache_reference: string }[];
}

export interface CacheEditOptions {
  /**
   * Nothing happens up to so many results that are not deleted.
   * @default 20
   */
  readonly maxResults?: number | undefined;
  /**
   * Newest results that stay.
   * @default 5
   */
  readonly keepRecent?: number | undefined;
}

export interface CacheEditContext {
  /** What earlier requests carried: `pinnedEdits(view.server)`. */
  readonly pinned: readonly CacheEdits[];
  /** The last message of the view; what is new is attached to it. */
  readonly lastMessageId: string | undefined;
}

export type CacheEditDecision =
  | { readonly kind: 'none'; readonly reason: string }
  | {
      readonly kind: 'delete';
      readonly clear: readonly Candidate[];
      readonly params: JsonObject;
      /** Tokens that the next request will not read from the cache, as expected. */
      readonly expectedDropTokens: number;
      readonly reason: string;
    };

/**
 * Results to delete from the provider's cache while the messages stay as they are. No provider offers this publicly: the
 * parameter is ours.
 */
export function decideCacheEdits(
  candidates: Candidates,
  { pinned, lastMessageId }: CacheEditContext,
  options: CacheEditOptions = {},
): CacheEditDecision {
  const { maxResults = 20, keepRecent = 5 } = options;
  const deleted = new Set(pinned.flatMap(({ edits }) => edits.map((edit) => edit.cache_reference)));
  if (candidates.results - deleted.size <= maxResults) return none('below-result-limit');
  if (lastMessageId === undefined) return none('no-messages');
  const results = candidates.list.filter(({ kind }) => kind === 'result');
  const registered = results.filter(({ toolUseId }) => !deleted.has(toolUseId));
  if (registered.length <= maxResults) return none('below-result-limit');
  const isOnce = onceOnly(results);
  const clear = registered.filter(
    (candidate) => isOnce(candidate.toolUseId) && !candidates.protectionOf(candidate, keepRecent),
  );
  if (clear.length === 0) return none('nothing-to-clear');
  const edits = clear.map(({ toolUseId }) => ({ type: 'delete', cache_reference: toolUseId }));
  return {
    kind: 'delete',
    clear,
    params: { [KEY]: [...pinned, { messageId: lastMessageId, edits }] as unknown as Json },
    expectedDropTokens: clear.reduce((sum, { tokens }) => sum + tokens, 0),
    reason: 'cache-edits',
  };
}

const KEY = 'cache_edits';

/** Forgets all deletions: what local clearing leaves is another prefix. */
export const RESET_CACHE_EDITS: JsonObject = { [KEY]: [] };

/** The deletions that live server parameters carry. */
export function pinnedEdits(server: JsonObject | undefined): readonly CacheEdits[] {
  const found = server?.[KEY];
  return Array.isArray(found) ? (found as unknown as readonly CacheEdits[]) : [];
}

const none = (reason: string): CacheEditDecision => ({ kind: 'none', reason });

/** Some providers use call ids again: a deletion by id would hit the wrong result. */
function onceOnly(results: readonly Candidate[]): (id: string) => boolean {
  const seen = new Map<string, number>();
  for (const { toolUseId } of results) seen.set(toolUseId, (seen.get(toolUseId) ?? 0) + 1);
  return (id) => id !== '' && seen.get(id) === 1;
}
