import {
  type Block,
  closeRound,
  createProjection,
  type Entry,
  type EntryBody,
  type Head,
  type Json,
  type Message,
  serializeEntry,
  stableStringify,
} from '@varve/messages';

/** Builds the log. Ids count up from the position, and time passes only when it is told to. */
export interface LogWriter {
  readonly entries: readonly Entry[];
  passTime(ms: number): void;
  head(head: Omit<Head, 'id'>): void;
  note(data: Json): void;
  message(message: Omit<Message, 'id' | 'createdAt'>): void;
  /** Closes the calls that still wait with synthetic results. */
  closeCalls(reason: string): void;
  /** Position-derived ids for what is inside of messages. */
  nextId(kind: 'call' | 'response' | 'signature'): string;
}

const PREFIXES = { call: 'call', response: 'response', signature: 'fixture-signature' } as const;

/** @throws {MessagesError} from every method that appends, when the entry may not come next. */
export function createLogWriter(startedAt: string): LogWriter {
  const entries: Entry[] = [];
  const projection = createProjection();
  const nextId = createCounters();
  let nowMs = Date.parse(startedAt);
  const at = () => new Date(nowMs).toISOString();
  let open: ReturnType<typeof projection.append>['open'];
  const append = (body: EntryBody) => {
    const entry: Entry = { id: nextId('entry'), at: at(), ...body };
    entries.push(entry);
    open = projection.append(entry).open;
  };
  return {
    entries,
    passTime(ms) {
      nowMs += Math.round(ms);
    },
    head: (head) => append({ type: 'head', head: { id: nextId('head'), ...head } }),
    note: (data) => append({ type: 'note', by: 'recorder', data }),
    message: (message) =>
      append({ type: 'message', message: { id: nextId('message'), ...message, createdAt: at() } }),
    closeCalls(reason) {
      const closing = open === undefined ? [] : closeRound(open, { reason, at: at() });
      for (const message of closing) append({ type: 'message', message });
    },
    nextId: (kind) => nextId(PREFIXES[kind]),
  };
}

function createCounters(): (kind: string) => string {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${String(count).padStart(4, '0')}`;
  };
}

/** One entry a line. */
export function serializeLog(entries: readonly Entry[]): string {
  return entries.map((entry) => `${serializeEntry(entry)}\n`).join('');
}

/** Time a reply takes by the recorded clock: a second and a half, and then about 60 tokens a second. */
export function replyMs(content: readonly Block[]): number {
  return 1_500 + 4 * stableStringify(content).length;
}
