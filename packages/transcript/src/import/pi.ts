import { recordOf } from '@varve/guards';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { countOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { blocksOf, commandText, resultOf, STOP_REASONS, usageOf } from './pi-content.ts';
import { summaryMessage } from './summary-message.ts';
import { createThread } from './thread.ts';

/** A record of the file and the message it became. */
interface PiEntry {
  /** Its place in the file, which begins with 0; lines that stand twice aside. */
  readonly index: number;
  readonly recordId: string | undefined;
  readonly messageId: string | undefined;
}

interface Place {
  readonly line: number;
  readonly at: string | undefined;
}

/** pi: a `session` line, then messages and changes; from version 3 on a tree of them, before it a list. */
export function createPi(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  const entries: PiEntry[] = [];
  let last: string | undefined;

  function addSession(record: JsonRecord, { at }: Place): void {
    const model = textOf(record.modelId);
    const level = textOf(record.thinkingLevel);
    context.unusedFields(record, 'session', SESSION_FIELDS);
    context.identify(textOf(record.id));
    if (model !== undefined) thread.head({ model, system: [], tools: [], params: {} }, at);
    if (level !== undefined) thread.note({ kind: 'thinking-config', level }, at);
  }

  function addRecord(record: JsonRecord, place: Place): string | undefined {
    const type = textOf(record.type) ?? 'record-without-type';
    const used = RECORD_FIELDS.get(type);
    if (used === undefined) {
      context.unused(type);
      return undefined;
    }
    context.unusedFields(record, type, used);
    if (type === 'message') return addMessage(recordOf(record.message), place);
    if (type === 'compaction') addCompaction(record, place);
    else if (type === 'thinking_level_change') {
      const level = textOf(record.thinkingLevel);
      if (level !== undefined) thread.note({ kind: 'thinking-config', level }, place.at);
    } else if (type === 'custom_message') return addText(record.content, place, 'reminder');
    else return addText(record.summary, place, 'summary');
    return undefined;
  }

  function addText(text: unknown, { line, at }: Place, kind: 'reminder' | 'summary' | 'command') {
    return thread.user(blocksOf(text), { id: `L${line}`, at, line, origin: { kind } });
  }

  function addMessage(message: JsonRecord, place: Place): string | undefined {
    const { line, at } = place;
    const facts = { id: `L${line}`, at, line };
    const role = textOf(message.role) ?? 'message-without-role';
    context.unusedFields(message, `message/${role}`, MESSAGE_FIELDS);
    if (role === 'user') return thread.user(blocksOf(message.content), facts);
    if (role === 'bashExecution') return addText(commandText(message), place, 'command');
    if (role === 'assistant') return addReply(message, place);
    if (role === 'toolResult') return thread.result(resultOf(message), facts);
    context.unused(`message/${role}`);
    return undefined;
  }

  function addReply(message: JsonRecord, { line, at }: Place): string {
    const content = blocksOf(message.content);
    const usage = usageOf(message.usage, { context, line });
    const response = {
      id:
        textOf(message.responseId) ??
        `pi-${wordsOf(message.timestamp ?? at ?? `${context.name}:${line}`)}`,
      model: textOf(message.model) ?? '',
      stopReason: STOP_REASONS.get(message.stopReason) ?? 'unknown',
      ...(usage === undefined ? {} : { usage }),
    };
    thread.input(timeOf(message.timestamp));
    if (message.stopReason === 'error') thread.note({ kind: 'api-error' }, at);
    return thread.assistant(content, { id: `L${line}`, at, line, response });
  }

  /** The kept run begins at an entry of the file, which may be no message: then with the first message after it. */
  function firstKept(record: JsonRecord): string | undefined {
    const index = countOf(record.firstKeptEntryIndex);
    const id = textOf(record.firstKeptEntryId);
    const first = entries.findIndex(
      (entry) => entry.index === index || (id !== undefined && entry.recordId === id),
    );
    if (first < 0) return undefined;
    return entries.slice(first).find(({ messageId }) => messageId !== undefined)?.messageId;
  }

  function addCompaction(record: JsonRecord, { line, at }: Place): void {
    const fromId = firstKept(record);
    const tokens = countOf(record.tokensBefore);
    const content = blocksOf(record.summary);
    if (content.length === 0)
      context.problem(
        'bad-record',
        line,
        'a compaction without its summary: what it removed is removed',
      );
    thread.span({
      with: content.length === 0 ? [] : [summaryMessage(content, { id: `L${line}`, at })],
      keep: fromId === undefined ? undefined : { fromId },
      receipt: { source: 'compaction', ...(tokens === undefined ? {} : { preTokens: tokens }) },
      at,
    });
  }

  /** A record under another parent than the newest takes the conversation back to that parent. */
  function followTree(record: JsonRecord, { line, at }: Place): void {
    const parent = textOf(record.parentId);
    if (parent === undefined || last === undefined || parent === last) return;
    const index = entries.findIndex(({ recordId }) => recordId === parent);
    const dropped = entries.slice(index + 1).find(({ messageId }) => messageId !== undefined);
    if (index < 0)
      context.problem(
        'broken-link',
        line,
        'the record before this one is missing; file order was used',
      );
    else if (dropped?.messageId !== undefined)
      thread.span({ reason: 'recorded-rewind', dropFromId: dropped.messageId, at });
  }

  return {
    identityOf(record) {
      const { type, id, timestamp, message } = record;
      const isKnown = type === 'session' || RECORD_FIELDS.has(wordsOf(type));
      if (!isKnown || (id ?? timestamp) === undefined) return undefined;
      return { marks: [type, id, timestamp], body: message ?? record };
    },
    add(value, line) {
      const place = { line, at: timeOf(value.timestamp) };
      if (value.type === 'session') {
        addSession(value, place);
        return;
      }
      followTree(value, place);
      const recordId = textOf(value.id);
      const index = line - context.repeats - 1;
      entries.push({ index, recordId, messageId: addRecord(value, place) });
      last = recordId;
    },
    finish: () => [thread.finish()],
  };
}

const SESSION_FIELDS = words('type timestamp modelId thinkingLevel');
const MESSAGE_FIELDS = words(
  'role content timestamp model usage stopReason responseId toolCallId isError command output',
);

const ENVELOPE = 'type id parentId timestamp';

/** The kinds of records that are of use, and what is used of them. */
const RECORD_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['message', words(`${ENVELOPE} message`)],
  ['compaction', words(`${ENVELOPE} summary tokensBefore firstKeptEntryIndex firstKeptEntryId`)],
  ['thinking_level_change', words(`${ENVELOPE} thinkingLevel`)],
  ['custom_message', words(`${ENVELOPE} content`)],
  ['branch_summary', words(`${ENVELOPE} summary`)],
]);
