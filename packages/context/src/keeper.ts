import type { Entry, EntryBody, View } from '@varve/messages';
import { createTokenMeter, type TokenMeter } from '@varve/tokens';
import type { Layer } from './layer.ts';
import { createLayeredLog, type LayeredLog } from './layered-log.ts';
import type { ContextOptions, EntryLog } from './options.ts';

/** The log of a context in memory and on its way to where it is written. */
export interface Keeper {
  readonly layered: LayeredLog;
  readonly meter: TokenMeter;
  readonly entries: readonly Entry[];
  /** The id that the next entry gets, and the message in it. */
  nextId(kind: Entry['type']): string;
  /** Appends in memory; throws a `MessagesError` for what may not come next, and nothing has changed then. */
  append(body: EntryBody, at: string): View;
  /** Takes what was appended elsewhere, or read from a log. */
  write(): Promise<void>;
}

export interface KeeperOptions
  extends Pick<ContextOptions, 'log' | 'entries' | 'storage' | 'models'> {
  readonly model: string;
  readonly layers: readonly Layer[];
}

/** Starts with the entries of an earlier run, if there are any. */
export function createKeeper(options: KeeperOptions): Keeper {
  const { model, models, layers, storage, log, entries: earlier = [] } = options;
  const meter = createTokenMeter({ model, models });
  const entries: Entry[] = [];
  const layered = createLayeredLog({
    layers,
    onEntry(entry, view) {
      entries.push(entry);
      meter.observe(entry, view);
      storage?.observe(entry);
    },
  });
  for (const entry of earlier) layered.append(entry);
  const nextId = (kind: Entry['type']): string => `${kind}-${entries.length + 1}`;
  return {
    layered,
    meter,
    entries,
    nextId,
    append: (body, at) => layered.append({ id: nextId(body.type), at, ...body }),
    write: createWriter(entries, log),
  };
}

/** Writes what is not written yet, in one call; what the log refuses is tried again with the next. */
function createWriter(entries: readonly Entry[], log: EntryLog | undefined): () => Promise<void> {
  let written = entries.length;
  return async () => {
    const fresh = entries.slice(written);
    if (log === undefined || fresh.length === 0) return;
    await log.append(...fresh);
    written += fresh.length;
  };
}
