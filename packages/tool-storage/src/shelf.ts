import { createBudget } from './budget.ts';
import { ToolStorageError } from './error.ts';
import { failureOf, type StoreFailure } from './failure.ts';
import { isHandle, keyOf } from './keys.ts';
import type { Settings } from './options.ts';
import type { Parcel } from './parcel.ts';
import type { Removals } from './removals.ts';
import type { StoreCallOptions } from './store.ts';

type PutResult =
  | { readonly kind: 'put'; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly reason: StoreFailure; readonly cause?: unknown };

/** The store as one session sees it: by handle, within its budgets, with errors that say what they mean. */
export function createShelf(settings: Settings, removals: Removals) {
  const { store, sessionId, bases } = settings;
  const budget = createBudget(settings);
  const present = new Set<string>();
  const own = (handle: string) => keyOf(sessionId, handle);
  const keysOf = (handle: string) => [sessionId, ...bases].map((id) => keyOf(id, handle));

  async function put({ handle, data }: Parcel, options: StoreCallOptions): Promise<PutResult> {
    try {
      const reason = await budget.refusal(own(handle), data.length, options);
      if (reason !== undefined) return { kind: 'refused', reason };
      await store.put(own(handle), data, options);
    } catch (cause) {
      options.signal?.throwIfAborted();
      return { kind: 'refused', reason: failureOf(cause), cause };
    }
    present.add(handle);
    removals.undo(handle);
    return { kind: 'put', isNew: budget.added(own(handle), data.length) };
  }

  async function find(handle: string, options: StoreCallOptions & { range?: Range } = {}) {
    for (const key of keysOf(handle)) {
      const bytes = await store.get(key, options);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  return {
    put,
    /** Takes back what a call that was aborted has put. */
    async takeBack(handle: string) {
      await store.delete(own(handle)).catch(() => undefined); // a result too many is no harm
      present.delete(handle);
      budget.removed(own(handle));
    },
    /** Whether a decided result is still to be had; one that was removed on request is not missed. */
    async isMissing(handle: string, options: StoreCallOptions): Promise<boolean> {
      if (present.has(handle) || removals.has(handle)) return false;
      const found = await find(handle, { ...options, range: { start: 0, end: 1 } });
      if (found !== undefined) present.add(handle);
      return found === undefined;
    },
    /** @throws ToolStorageError `unknown-handle`, whose text tells what has expired from what never was; `store-failed` */
    async get(handle: string, options: StoreCallOptions, wasStored = false): Promise<Uint8Array> {
      const wasRemoved = removals.has(handle);
      const canBe = isHandle(handle) && !wasRemoved;
      const found = canBe ? await asked(() => find(handle, options), options) : undefined;
      if (found !== undefined) return found;
      if (wasStored && canBe) throw new ToolStorageError('unknown-handle', EXPIRED_TEXT);
      throw new ToolStorageError('unknown-handle', unknownText(wasRemoved));
    },
    /** @throws ToolStorageError `unknown-handle` for what cannot be a handle, `store-failed` */
    async remove(handle: string, options: StoreCallOptions): Promise<void> {
      if (!isHandle(handle)) throw new ToolStorageError('unknown-handle', unknownText(false));
      await asked(() => store.delete(own(handle), options), options);
      removals.add(handle);
      this.gone(own(handle));
    },
    /** Told when a sweep has removed a key. */
    gone(key: string) {
      budget.removed(key);
      for (const handle of present) if (own(handle) === key) present.delete(handle);
    },
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export type Shelf = ReturnType<typeof createShelf>;

async function asked<Result>(
  call: () => Promise<Result>,
  { signal }: StoreCallOptions,
): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    signal?.throwIfAborted();
    const text = 'the store could not be asked; the result may still be there, so try again';
    throw new ToolStorageError('store-failed', text, { cause });
  }
}

const EXPIRED_TEXT =
  'this result was stored and has expired: it was old, or there were too many; run the tool again if it is needed';

const unknownText = (wasRemoved: boolean): string =>
  wasRemoved
    ? 'this result was removed; run the tool again if it is needed'
    : 'no result is stored under this handle; use a handle as it is named in place of the result, or run the tool again';
