import {
  type Entry,
  type EntryBody,
  type Message,
  MessagesError,
  type View,
} from '@varve/messages';
import { writtenForm } from '@varve/messages/log';
import { createTokenMeter, type Estimator, type TokenMeter } from '@varve/tokens';
import { ContextError } from './error.ts';
import type { Tell } from './event.ts';
import type { Layer } from './layer.ts';
import { createLayeredLog, type LayeredLog } from './layered-log.ts';
import type { NewMessage } from './messages-of.ts';
import type { ContextOptions, EntryLog } from './options.ts';
import { createQueue } from './queue.ts';
import type { Doors } from './redact-entry.ts';

/** The log of a context in memory and on its way to where it is written. */
export interface Keeper {
  readonly layered: LayeredLog;
  readonly meter: TokenMeter;
  readonly entries: readonly Entry[];
  /** Takes entries of an earlier run; they count as written. */
  replay(entry: Entry): void;
  /** False while an entry of an earlier run is taken: what it shows was told when it happened. */
  isLive(): boolean;
  /** Appends in memory; throws a `MessagesError` for what may not come next, and nothing has changed then. */
  append(body: EntryBody, at: string): View;
  /**
   * Appends messages in memory, all or none of them, and returns them as they stand in the log. What may not stand there is
   * refused with the code of the call, and the `MessagesError` is its cause.
   */
  add(messages: readonly NewMessage[], options: AddOptions): readonly Message[];
  /** Takes what was appended elsewhere. Throws `not-written`; it is then tried again with the next call. */
  write(): Promise<void>;
  /** How many messages of the view stand where the last answered request had them, as far as spans were replaced. */
  cachedMessages(): number;
}

export interface AddOptions {
  readonly at: string;
  /** Stands before the messages. */
  readonly note?: EntryBody | undefined;
  readonly code: 'malformed-message' | 'malformed-reply' | 'malformed-result';
}

/** Watches the log as it grows; it must not throw. */
export type Observe = (entry: Entry, view: View) => void;

export interface KeeperOptions extends Pick<ContextOptions, 'log' | 'storage' | 'models'> {
  readonly model: string;
  /** Of that model. @default one of the meter's own */
  readonly estimator?: Estimator | undefined;
  readonly layers: readonly Layer[];
  readonly observe?: Observe | undefined;
  readonly tell: Tell;
  /** What is done to what is appended. */
  readonly doors: Doors;
}

/** A keeper of an empty log. */
export function createKeeper(options: KeeperOptions): Keeper {
  const { model, models, estimator, layers, log, observe, tell, doors } = options;
  const meter = createTokenMeter({ model, models, estimator });
  const entries: Entry[] = [];
  const writer = createWriter(entries, log);
  const cached = createCachedStretch();
  let isLive = true;
  const asLogged = <E extends Entry>(entry: E): E => doors.log(writtenForm(entry));
  const layered = createLayeredLog({
    layers,
    enter: asLogged,
    onEntry(entry, view) {
      entries.push(entry);
      const taken = meter.observe(entry, view);
      if (taken && isLive) tellDoubt(taken, tell);
      showStorage(entry, options);
      cached.observe(entry, view);
      observe?.(entry, view);
    },
  });
  const append = (body: EntryBody, at: string): View =>
    layered.append(asLogged({ id: layered.nextId(body.type), at, ...body }));
  /** What a storage shows in a message is said again in its note, and has to be the same. */
  const ownNote = (body: EntryBody, at: string): Entry =>
    doors.enter(writtenForm({ id: layered.nextId(body.type), at, ...body }));
  return {
    layered,
    meter,
    entries,
    append,
    write: writer.write,
    cachedMessages: cached.messages,
    isLive: () => isLive,
    replay(entry) {
      isLive = false;
      try {
        layered.append(entry);
      } finally {
        isLive = true;
      }
      writer.skip();
    },
    add(messages, { at, note, code }) {
      return orRefuse(code, () => {
        const ready = messages.map((message) => writtenMessage(doors.enter(message), at));
        if (note !== undefined) layered.append(ownNote(note, at));
        return ready.map((message, index) => {
          if (messages[index]?.id === undefined) message.id = layered.nextId('message');
          layered.append({ id: layered.nextId('message'), at, type: 'message', message });
          return message;
        });
      });
    },
  };
}

/** A storage that throws keeps no entry from the log. */
function showStorage(entry: Entry, { storage, tell }: KeeperOptions): void {
  try {
    storage?.observe(entry);
  } catch (cause) {
    tell({ layer: 'tool-storage', kind: 'failed', reason: 'observe-threw', cause });
  }
}

function tellDoubt(taken: ReturnType<TokenMeter['anchor']>, tell: Tell): void {
  const doubted = { layer: 'tokens', kind: 'bill-doubted' } as const;
  if (taken.kind === 'anchored') {
    const { doubtedOutput } = taken;
    if (doubtedOutput) tell({ ...doubted, reason: 'implausible-output', ...doubtedOutput });
    return;
  }
  const { reason, billedTokens, expectedTokens } = taken;
  if (reason === 'synthetic-reply') return;
  tell({ ...doubted, reason, billedTokens, expectedTokens });
}

function orRefuse<Result>(code: AddOptions['code'], add: () => Result): Result {
  try {
    return add();
  } catch (cause) {
    if (!MessagesError.is(cause)) throw cause;
    throw new ContextError(code, `It may not stand in the conversation. ${cause.message}`, {
      cause,
    });
  }
}

/** A copy of its own, whose name may still be given. Refuses what could not be read back before any message of its kind is in. */
function writtenMessage({ id = '', ...rest }: NewMessage, at: string): Message & { id: string } {
  const message: Message = { id, createdAt: at, ...rest };
  return writtenForm({ id: '-', at, type: 'message', message } as const).message;
}

/** Writes what is not written yet, in one call; one write after the other, because notes come at any time. */
function createWriter(entries: readonly Entry[], log: EntryLog | undefined) {
  if (log === undefined) return { skip: () => undefined, write: async () => undefined };
  const inOrder = createQueue();
  let written = 0;
  return {
    skip(): void {
      written = entries.length;
    },
    write: (): Promise<void> =>
      inOrder(async () => {
        const fresh = entries.slice(written);
        if (fresh.length === 0) return;
        try {
          await log.append(...fresh);
        } catch (cause) {
          throw new ContextError('not-written', NOT_WRITTEN, { cause });
        }
        written += fresh.length;
      }),
  };
}

function createCachedStretch() {
  let messages = Number.POSITIVE_INFINITY;
  return {
    messages: () => messages,
    observe(entry: Entry, { changedFrom }: View): void {
      if (entry.type === 'message' && entry.message.response?.request) {
        messages = Number.POSITIVE_INFINITY;
      }
      if (entry.type !== 'edit' || entry.edit.kind === 'replace-content') return;
      messages = Math.min(messages, changedFrom);
    },
  };
}

const NOT_WRITTEN =
  'The log refused to write. What was added stays in the conversation, so do not add it again; the next call, or `flush`, tries to write it.';
