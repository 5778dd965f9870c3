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
import { createLiveSpans } from './live-spans.ts';
import { type LoggedId, type Range, rangesOf } from './span-ranges.ts';
import type { ImportSignal } from './types.ts';

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Stands for the time of a record that has none and follows none that has one. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** Writes entries in order; an entry without a time takes that of the one before it. */
export function createLogWriter(options: {
  readonly firstAt: string | undefined;
  readonly makeId: (id: string) => string;
  /** Called where a view would begin with a reply, and gets a message in place of what is not in the file. */
  readonly onMissingStart: () => void;
}) {
  const entries: Entry[] = [];
  const messages: LoggedId[] = [];
  const positions = new Map<string, number>();
  const results = new Map<string, string>();
  const spans = createLiveSpans();
  let at = options.firstAt ?? UNKNOWN_TIME;
  let current: Head | undefined;
  /** Nothing is in the view: the next message has to be one that a view starts with. */
  let isBlank = true;

  function push(body: EntryBody, time: string | undefined): void {
    at = time ?? at;
    entries.push({ id: `i${entries.length + 1}`, at, ...body });
  }

  function head(next: Head, time: string | undefined): void {
    current = next;
    push({ type: 'head', head: next }, time);
  }

  function message(next: Message): void {
    if (isBlank && next.role !== 'user') message(missingStart(options));
    isBlank = false;
    const result = next.content.find(isToolResult);
    if (result !== undefined) results.set(next.id, result.tool_use_id);
    positions.set(next.id, messages.length);
    messages.push({ id: next.id, role: next.role, joins: result !== undefined });
    push({ type: 'message', message: next }, next.createdAt);
  }

  function note(signal: ImportSignal, time: string | undefined): void {
    push({ type: 'note', by: 'import', data: signal }, time);
  }

  function edit(edited: Edit, facts: EditFacts): void {
    const { reason, receipt, at: time } = facts;
    push({ type: 'edit', by: 'import', reason, receipt, edit: edited }, time);
  }

  /** Spans nest or are disjoint, and the outermost is seen: one that stands against the new one is taken back first. */
  function replace(range: Range, given: readonly Message[], item: SpanItem): void {
    const [fromId, toId] = [messages[range.start]?.id, messages[range.end - 1]?.id];
    if (fromId === undefined || toId === undefined) return;
    const { reason, at: time } = item;
    for (let span = spans.against(range); span !== undefined; span = spans.against(range)) {
      edit({ kind: 'undo', entryId: span.entryId }, { reason, receipt: {}, at: time });
      spans.remove(span.entryId);
    }
    const entryId = `i${entries.length + 1}`;
    spans.add({ ...range, entryId, roles: rolesOf(given) });
    const isHeadless = spans.firstRole(messages) === 'assistant';
    const shown = isHeadless ? [missingStart(options), ...given] : given;
    if (isHeadless) {
      spans.remove(entryId);
      spans.add({ ...range, entryId, roles: rolesOf(shown) });
    }
    edit({ kind: 'replace-span', fromId, toId, with: shown, then: [] }, item);
    isBlank = spans.firstRole(messages) === undefined;
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
      const [first, second] = rangesOf({ messages, positions }, item);
      if (first === undefined) for (const summary of item.with) message(summary);
      else replace(first, item.with, item);
      if (second !== undefined) replace(second, [], item);
    },
    /** Only what stands in the log as a result can be cleared. */
    content(item: ContentItem): void {
      const { receipt, at: time } = item;
      const once = new Map(item.replacements.map(({ messageId, block }) => [messageId, block]));
      const blocks = [...once]
        .filter(([messageId, block]) => results.get(messageId) === block.tool_use_id)
        .map(([messageId, block]) => ({ messageId, index: 0, block }));
      if (blocks.length === 0) return;
      edit({ kind: 'replace-content', blocks }, { reason: 'recorded-pruning', receipt, at: time });
    },
  };
}

interface EditFacts {
  readonly reason: string;
  readonly receipt: JsonObject;
  readonly at?: string | undefined;
}

const rolesOf = (messages: readonly Message[]) => messages.map(({ role }) => role);

/** A view starts with a user message; a file that starts in the middle may not. */
function missingStart({ makeId, onMissingStart }: Parameters<typeof createLogWriter>[0]): Message {
  onMissingStart();
  const text = '[the beginning of this conversation is not in the file]';
  return {
    id: makeId('missing-start'),
    role: 'user',
    content: [{ type: 'text', text }],
    origin: { kind: 'synthetic' },
  };
}
