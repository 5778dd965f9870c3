import {
  type Edit,
  type Entry,
  type EntryBody,
  type Head,
  isToolResult,
  type JsonObject,
  type Message,
} from '@varve/messages';
import type { ContentItem, SpanItem } from './items.ts';
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
  const spans: (Range & { readonly entryId: string })[] = [];
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

  function message(next: Message): void {
    if (logged.length === 0 && next.role !== 'user') message(missingStart(options.makeId));
    logged.push({ id: next.id, joins: next.content.some(isToolResult) });
    push({ type: 'message', message: next }, next.createdAt);
  }

  function note(signal: ImportSignal, time: string | undefined): void {
    push({ type: 'note', by: 'import', data: signal }, time);
  }

  function edit(edited: Edit, facts: EditFacts): void {
    const { reason, receipt, at: time } = facts;
    push({ type: 'edit', by: 'import', reason, receipt, edit: edited }, time);
  }

  /** Spans nest or are disjoint: one that the new span would cross is taken back first. */
  function replace(range: Range, messages: readonly Message[], item: SpanItem): void {
    const [from, to] = [logged[range.start], logged[range.end - 1]];
    if (from === undefined || to === undefined) return;
    for (const span of spans.filter((live) => crosses(live, range))) {
      edit(
        { kind: 'undo', entryId: span.entryId },
        { reason: item.reason, receipt: {}, at: item.at },
      );
      spans.splice(spans.indexOf(span), 1);
    }
    const body = {
      kind: 'replace-span',
      fromId: from.id,
      toId: to.id,
      with: messages,
      then: [],
    } as const;
    edit(body, item);
    spans.push({ ...range, entryId: `i${entries.length}` });
  }

  return {
    entries,
    head,
    note,
    message,
    /** A reply by another model than the head names: its request had another head. */
    followModel(model: string, time: string | undefined): void {
      if (current === undefined || current.model === model) return;
      if (current.model !== '') note({ kind: 'model-change', model }, time);
      head({ ...current, id: options.makeId('head'), model }, time);
    },
    /** One edit for what the summary stands for; a second, empty one for what lies on the other side of a kept run. */
    span(item: SpanItem): void {
      const [first, second] = rangesOf(logged, item);
      if (first === undefined) for (const summary of item.with) message(summary);
      else replace(first, item.with, item);
      if (second !== undefined) replace(second, [], item);
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
  readonly at?: string | undefined;
}

/** Positions among the logged messages, half open. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const crosses = (one: Range, other: Range): boolean =>
  (one.start < other.start && other.start < one.end && one.end < other.end) ||
  (other.start < one.start && one.start < other.end && other.end < one.end);

interface LoggedId {
  readonly id: string;
  /** A result: it stands in one round with the message before it. */
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

/** The ranges that go: before and after the kept run, as far as they hold a message; whole rounds stay. */
function rangesOf(logged: readonly LoggedId[], { keep, dropFromId }: SpanItem): Range[] {
  const end = logged.length;
  const ranges: Range[] = [];
  if (dropFromId !== undefined) ranges.push({ start: roundStart(logged, dropFromId, end), end });
  else if (keep === undefined) ranges.push({ start: 0, end });
  else {
    const keepStart = roundStart(logged, keep.fromId, end);
    const keepEnd = keep.toId === undefined ? end : roundEnd(logged, keep.toId);
    ranges.push({ start: 0, end: keepStart }, { start: Math.max(keepStart, keepEnd), end });
  }
  return ranges.filter((range) => range.start < range.end);
}

/** `missing` where there is no such message. */
function roundStart(logged: readonly LoggedId[], id: string, missing: number): number {
  let index = logged.findIndex((message) => message.id === id);
  if (index < 0) return missing;
  while (index > 0 && logged[index]?.joins) index -= 1;
  return index;
}

function roundEnd(logged: readonly LoggedId[], id: string): number {
  let index = logged.findIndex((message) => message.id === id);
  if (index < 0) return logged.length;
  do index += 1;
  while (logged[index]?.joins);
  return index;
}
