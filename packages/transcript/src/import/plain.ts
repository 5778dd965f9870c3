import { type Block, type Head, isText, type Tool } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { isRecord, type JsonRecord, recordOf, recordsOf, textOf, timeOf } from './json.ts';
import { partsOf } from './openai-content.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/** Where a message stands; `id` is its position in words. */
export interface Place {
  readonly id: string;
  readonly line: number;
  readonly at: string | undefined;
}

/** Adds one message; false where it has no use for it. */
export type AddMessage = (thread: ThreadBuilder, message: JsonRecord, place: Place) => boolean;

/** Plain message lists: an array, the body of a request around one, or one message a line. */
export function createPlain(context: ImportContext, addMessage: AddMessage): Importer {
  const thread = createThread({ id: 'main', context });
  let [count, hasHead] = [0, false];

  function addOne(message: unknown, line: number): void {
    count += 1;
    if (!isRecord(message)) {
      context.problem('not-a-record', line, 'a value that is no object was dropped');
      return;
    }
    const at = timeOf(message.created_at ?? message.timestamp);
    const isUsed = addMessage(thread, message, { id: `message-${count}`, line, at });
    if (!isUsed) context.unused(`message/${String(message.role ?? message.type)}`);
  }

  return {
    add(value, line) {
      const list = listIn(value);
      if (!Array.isArray(value) && list !== undefined && !hasHead) {
        hasHead = true;
        context.unusedFields(recordOf(value), 'request', REQUEST_FIELDS);
        thread.head(headOf(recordOf(value)));
      }
      if (list === undefined) addOne(value, line);
      else for (const message of list) addOne(message, line);
    },
    finish: () => [thread.finish()],
  };
}

/** The messages that a document holds: itself, or those of a request's body. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const { messages, input } = recordOf(value);
  return [messages, input].find(Array.isArray);
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(
  'messages input model system instructions tools'.split(' '),
);

function headOf(body: JsonRecord): Omit<Head, 'id'> {
  const text = body.system ?? body.instructions;
  const system = partsOf(text).flatMap((block) =>
    block.type === 'text' ? [{ ...block, type: 'text', text: String(block.text) } as const] : [],
  );
  return {
    model: textOf(body.model) ?? '',
    system,
    tools: recordsOf(body.tools).map(toolOf),
    params: {},
  };
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

/** System messages at the start are the system prompt; later ones stand where they stand, as reminders. */
export function addSystem(thread: ThreadBuilder, content: readonly Block[], place: Place): true {
  const texts = content.filter(isText);
  if (thread.messageCount() === 0) thread.extendSystem(texts);
  else thread.user(texts, { ...place, origin: { kind: 'reminder', role: 'system' } });
  return true;
}
