import type { Edit, Entry, EntryBody, Head, JsonObject, Message } from '@varve/messages';
import type { CompactionItem, ContentItem } from './items.ts';
import type { ImportSignal } from './types.ts';

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Stands for the time of a record that has none and follows none that has one. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** Writes entries in order; an entry without a time takes that of the one before it. */
export function createLogWriter(options: {
  readonly firstAt: string | undefined;
  readonly makeId: (id: string) => string;
}) {
  const entries: Entry[] = [];
  const logged: LoggedId[] = [];
  let at = options.firstAt ?? UNKNOWN_TIME;
  let current: Head | undefined;

  function push(body: EntryBody, time: string | undefined): void {
    at = time ?? at;
    entries.push({ id: `i${entries.length + 1}`, at, ...body });
  }

  function head(next: Head, time: string | undefined): void {
    current = next;
    push({ type: 'head', head: next }, time);
  }

  function message(next: Message, joins: boolean): void {
    if (logged.length === 0 && next.role !== 'user') message(missingStart(options.makeId), false);
    logged.push({ id: next.id, joins });
    push({ type: 'message', message: next }, next.createdAt);
  }

  function note(signal: ImportSignal, time: string | undefined): void {
    push({ type: 'note', by: 'import', data: signal }, time);
  }

  function edit(edited: Edit, facts: EditFacts): void {
    const { reason, receipt, at: time } = facts;
    push({ type: 'edit', by: 'import', reason, receipt, edit: edited }, time);
  }

  return {
    entries,
    head,
    note,
    /** `joins`: a result, which stands in one round with the message before it. */
    message,
    /** A reply by another model than the head names: its request had another head. */
    followModel(model: string, time: string | undefined): void {
      if (current === undefined || current.model === model) return;
      if (current.model !== '') note({ kind: 'model-change', model }, time);
      head({ ...current, id: options.makeId('head'), model }, time);
    },
    /** One edit for what the summary stands for; a second, empty one for what lies on the other side of a kept run. */
    compaction(item: CompactionItem): void {
      const facts = { reason: 'recorded-compaction', receipt: item.receipt, at: item.at };
      const [first, second] = spansAround(logged, item.keep);
      if (first === undefined) for (const summary of item.with) message(summary, false);
      else edit({ ...first, with: item.with, then: [] }, facts);
      if (second !== undefined) edit({ ...second, with: [], then: [] }, facts);
    },
    content(item: ContentItem): void {
      const { receipt, at: time } = item;
      const blocks = item.replacements.map((replacement) => ({ ...replacement, index: 0 }));
      edit({ kind: 'replace-content', blocks }, { reason: 'recorded-pruning', receipt, at: time });
    },
  };
}

interface EditFacts {
  readonly reason: string;
  readonly receipt: JsonObject;
  readonly at: string | undefined;
}

interface LoggedId {
  readonly id: string;
  readonly joins: boolean;
}

/** A view starts with a user message; a file that starts in the middle may not. */
function missingStart(makeId: (id: string) => string): Message {
  const text = '[the beginning of this conversation is not in the file]';
  return {
    id: makeId('missing-start'),
    role: 'user',
    content: [{ type: 'text', text }],
    origin: { kind: 'synthetic' },
  };
}

/** The spans before and after the kept run, as far as they hold a message; whole rounds are kept. */
function spansAround(logged: readonly LoggedId[], keep: CompactionItem['keep']) {
  let keepStart = keep === undefined ? -1 : logged.findIndex(({ id }) => id === keep.fromId);
  if (keepStart < 0) return [spanOf(logged, 0, logged.length)];
  let keepEnd = keep?.toId === undefined ? logged.length : indexOf(logged, keep.toId) + 1;
  while (logged[keepStart]?.joins) keepStart -= 1;
  while (logged[keepEnd]?.joins) keepEnd += 1;
  const spans = [
    spanOf(logged, 0, keepStart),
    spanOf(logged, Math.max(keepStart, keepEnd), logged.length),
  ];
  return spans.filter((span) => span !== undefined);
}

const indexOf = (logged: readonly LoggedId[], id: string): number => {
  const index = logged.findIndex((message) => message.id === id);
  return index < 0 ? logged.length - 1 : index;
};

function spanOf(logged: readonly LoggedId[], start: number, end: number) {
  const [from, to] = [logged[start], logged[end - 1]];
  if (end <= start || from === undefined || to === undefined) return undefined;
  return { kind: 'replace-span', fromId: from.id, toId: to.id } as const;
}
