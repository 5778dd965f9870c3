import { fingerprint } from '@varve/messages';
import { laterOf } from './claude-code-record.ts';
import type { ClaudeThread } from './claude-code-threads.ts';
import type { ImportContext } from './context.ts';
import { type JsonRecord, textOf, timeOf, words } from './json.ts';

/** The last version that kept no record of its own of a message that was given to the model in the middle of a turn. */
const LAST_WITHOUT_RECORD = [2, 1, 45] as const;

/** Where a record stands, and how it is written. */
interface Place {
  readonly line: number;
  readonly text: string;
}

interface Waiting {
  readonly text: string;
  readonly line: number;
}

/**
 * Messages that waited while the model was at work. What leaves the queue by `dequeue` stands behind it as a prompt; what leaves it by `remove` was
 * given to the model with the results of its calls, and up to 2.1.45 only the queue holds it. `popAll` is the user's: back in the input line.
 */
export function createQueue(context: ImportContext) {
  let waiting: Waiting[] = [];
  let isRecordedElsewhere = false;
  const seen = new Set<string>();
  let last = { print: '', isRepeated: false };

  /**
   * Whether a record stands in the file for the second time. Several messages may leave in the same millisecond, by records that are equal,
   * name no message and follow one another; none is queued twice in one.
   */
  function isRepeated(record: JsonRecord, text: string): boolean {
    const print = fingerprint(text.trim());
    const isRow = print === last.print && record.content === undefined;
    last = { print, isRepeated: isRow ? last.isRepeated : seen.has(print) };
    seen.add(print);
    return last.isRepeated;
  }

  function take(thread: ClaudeThread, record: JsonRecord, line: number): void {
    const text = textOf(record.content);
    const place = text === undefined ? 0 : waiting.findIndex((each) => each.text === text);
    const [message] = waiting.splice(Math.max(place, 0), 1);
    if (message === undefined || isRecordedElsewhere) {
      context.unused('queue-operation/remove');
      context.unused('queue-operation/enqueue', message === undefined ? 0 : 1);
      return;
    }
    const facts = {
      id: `queued-L${message.line}`,
      at: laterOf(timeOf(record.timestamp), thread.builder.lastAt()),
      line,
      origin: NOTIFICATION.test(message.text) ? ({ kind: 'reminder' } as const) : undefined,
    };
    thread.builder.user([{ type: 'text', text: message.text }], facts);
  }

  /** The queue's record is of no use: what waited stands in the file as a prompt, or was never sent. */
  function leave(operation: string, count: number): void {
    waiting = waiting.slice(count);
    context.unused('queue-operation/enqueue', count);
    context.unused(`queue-operation/${operation}`);
  }

  return {
    /** Takes note of the version that writes the records from here on. */
    see(version: unknown): void {
      if (typeof version === 'string') isRecordedElsewhere = isLater(version, LAST_WITHOUT_RECORD);
    },
    add(thread: ClaudeThread, record: JsonRecord, { line, text: raw }: Place): void {
      if (isRepeated(record, raw)) {
        context.problem('duplicate-record', line, 'a record that stands twice was dropped once');
        return;
      }
      context.unusedFields(record, 'queue-operation', FIELDS);
      const { operation } = record;
      const text = textOf(record.content);
      if (operation === 'enqueue' && text !== undefined) waiting.push({ text, line });
      else if (operation === 'remove') take(thread, record, line);
      else if (operation === 'dequeue') leave('dequeue', Math.min(waiting.length, 1));
      else if (operation === 'popAll') leave('popAll', waiting.length);
      else context.unused(`queue-operation/${textOf(operation) ?? 'unknown'}`);
    },
    /** What still waits was never given to the model. */
    finish: (): void => context.unused('queue-operation/enqueue', waiting.length),
  };
}

/** What tasks in the background say of themselves waits in the same queue. */
const NOTIFICATION = /^\s*<(agent|task)-notification>/;

const FIELDS = words('type operation timestamp sessionId content');

function isLater(version: string, than: readonly number[]): boolean {
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10));
  const at = than.findIndex((number, place) => number !== (numbers[place] ?? 0));
  return at >= 0 && (numbers[at] ?? 0) > (than[at] ?? 0);
}
