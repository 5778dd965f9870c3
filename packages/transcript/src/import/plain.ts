import { isRecord, recordOf } from '@varve/guards';
import {
  type Block,
  fingerprint,
  type Head,
  isText,
  type TextBlock,
  type Tool,
} from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { type JsonRecord, textOf, timeOf, words } from './json.ts';
import { partsOf } from './openai-content.ts';
import { identityOfAll } from './repeats.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/** Where a message stands; `id` is its position in words. */
export interface Place {
  readonly id: string;
  readonly line: number;
  readonly at: string | undefined;
}

export interface PlainFormat {
  /** The fields of a message that are of use. */
  readonly fields: ReadonlySet<string>;
  /** Adds one message; false where it has no use for it. */
  add(thread: ThreadBuilder, message: JsonRecord, place: Place): boolean;
  /** What is left to add after the last message. */
  finish?(thread: ThreadBuilder): void;
}

/** Plain message lists: an array, the body of a request around one, or one message a line. */
export function createPlain(context: ImportContext, format: PlainFormat): Importer {
  const thread = createThread({ id: 'main', context });
  let [count, hasHead] = [0, false];

  function addOne(message: unknown, line: number): void {
    count += 1;
    if (!isRecord(message)) {
      context.problem('not-a-record', line, 'a message that is no object was dropped');
      return;
    }
    const kind = `message/${textOf(message.role) ?? textOf(message.type) ?? 'unknown'}`;
    const at = timeOf(message.created_at ?? message.timestamp ?? message.ts);
    if (!format.add(thread, message, { id: `message-${count}`, line, at })) context.unused(kind);
    else context.unusedFields(message, kind, format.fields);
  }

  function addList(list: readonly unknown[], line: number): void {
    for (const message of list) addOne(message, line);
  }

  return {
    // a message without id and time may be said again, call and all
    identityOf(record, text) {
      if (listIn(record) !== undefined) return identityOfAll(record);
      const { id, created_at: createdAt, timestamp, ts } = record;
      const marks = [id, createdAt, timestamp, ts];
      return marks.every((mark) => mark === undefined)
        ? undefined
        : { marks, body: fingerprint(text) };
    },
    add(record, line) {
      const list = listIn(record);
      if (list === undefined) {
        addOne(record, line);
        return;
      }
      context.unusedFields(record, 'request', REQUEST_FIELDS);
      if (hasHead) context.unused('request/repeated-head');
      else thread.head(headOf(record, context));
      hasHead = true;
      addList(list, line);
    },
    addList,
    finish() {
      format.finish?.(thread);
      return [thread.finish()];
    },
  };
}

/** The messages that the body of a request holds. */
export function listIn({ messages, input }: JsonRecord): readonly unknown[] | undefined {
  return [messages, input].find(Array.isArray);
}

const REQUEST_FIELDS = words('messages input model system instructions tools');

function headOf(body: JsonRecord, context: ImportContext): Omit<Head, 'id'> {
  return {
    model: textOf(body.model) ?? '',
    system: textsIn(partsOf(body.system ?? body.instructions), context),
    tools: context.records(body.tools, 'request/tools').map(toolOf),
    params: {},
  };
}

/** A system prompt is text alone. */
export function textsIn(blocks: readonly Block[], context: ImportContext): readonly TextBlock[] {
  const texts = blocks.filter(isText);
  if (texts.length < blocks.length) context.unused('system-block', blocks.length - texts.length);
  return texts;
}

/** A tool of any of the three formats; one that has a type and no name is the provider's own. */
function toolOf(tool: JsonRecord): Tool {
  const { name, description, parameters, ...rest } = recordOf(tool.function ?? tool);
  const text = textOf(description);
  return {
    ...(parameters === undefined ? rest : { input_schema: parameters }),
    name: textOf(name) ?? textOf(tool.type) ?? 'unnamed',
    ...(text === undefined ? {} : { description: text }),
  };
}

export interface SystemMessage {
  readonly content: readonly Block[];
  readonly place: Place;
  readonly context: ImportContext;
}

/** System messages at the start are the system prompt; later ones stand where they stand, as reminders. */
export function addSystem(thread: ThreadBuilder, message: SystemMessage): true {
  const texts = textsIn(message.content, message.context);
  if (thread.messageCount() === 0) thread.extendSystem(texts);
  else thread.user(texts, { ...message.place, origin: { kind: 'reminder', role: 'system' } });
  return true;
}
