import { sessionKey } from './keys.ts';
import type { Settings } from './options.ts';
import type { StoreCallOptions } from './store.ts';

/** What is on disk, learned once and then kept up to date. Sizes in bytes. */
export function createBudget(settings: Settings) {
  const { store, sessionId, maxSessionBytes, maxTotalBytes } = settings;
  const prefix = `${sessionKey(sessionId)}/`;
  const wantsTotal = maxTotalBytes !== Number.POSITIVE_INFINITY;
  let sizes: Map<string, number> | undefined;
  let [session, total] = [0, 0];

  const count = (key: string, bytes: number) => {
    total += bytes;
    if (key.startsWith(prefix)) session += bytes;
  };
  const load = async (options: StoreCallOptions) => {
    if (sizes !== undefined) return sizes;
    const items = await store.list(wantsTotal ? '' : prefix, options);
    sizes = new Map(items.map(({ key, bytes }) => [key, bytes]));
    for (const [key, bytes] of sizes) count(key, bytes);
    return sizes;
  };
  return {
    /** Whether there is room for a result under this key; one that is there already needs none. */
    async refusal(key: string, bytes: number, options: StoreCallOptions) {
      const more = bytes - ((await load(options)).get(key) ?? 0);
      if (session + more > maxSessionBytes) return 'session-budget' as const;
      return total + more > maxTotalBytes ? ('total-budget' as const) : undefined;
    },
    /** True when it was not there before. */
    added(key: string, bytes: number): boolean {
      const before = sizes?.get(key);
      count(key, bytes - (before ?? 0));
      sizes?.set(key, bytes);
      return before === undefined;
    },
    removed(key: string) {
      count(key, -(sizes?.get(key) ?? 0));
      sizes?.delete(key);
    },
  };
}
