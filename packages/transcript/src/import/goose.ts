import { isRecord, recordOf } from '@varve/guards';
import type { Block, ToolResultBlock } from '@varve/messages';
import { isBlock } from './block-fields.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { countOf, itemsOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { summaryMessage } from './summary-message.ts';
import { createThread } from './thread.ts';

/**
 * Goose: up to 1.9 a line with facts of the session and then a message a line, later a database, which is read as one object with its messages in
 * `conversation`; so is what Goose exports.
 */
export function createGoose(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  let [count, wasHidden] = [0, false];
  let model = '';

  function addMessage(message: JsonRecord, line: number): void {
    count += 1;
    const role = textOf(message.role) ?? 'unknown';
    const seconds = countOf(message.created);
    const at = seconds === undefined ? undefined : timeOf(seconds * 1000);
    const facts = { id: textOf(message.id) ?? `message-${count}`, at, line };
    if (role !== 'user' && role !== 'assistant') {
      context.unused(`message/${role}`);
      return;
    }
    context.unusedFields(message, `message/${role}`, MESSAGE_FIELDS);
    const items = context.records(message.content, 'content');
    const blocks = items.flatMap((item, index) => readItem(item, `${facts.id}-${index}`));
    const { agentVisible, userVisible } = recordOf(message.metadata);
    // a summary is for the model alone; what it stands for is no longer shown to the model
    if (agentVisible !== false && userVisible === false && wasHidden) {
      const summary = [summaryMessage(blocks, { id: facts.id, at, role })];
      thread.span({ with: summary, receipt: { source: 'compaction' }, at });
      wasHidden = false;
      return;
    }
    if (agentVisible === false) wasHidden = true;
    if (role === 'assistant') {
      const stopReason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
      const id = textOf(message.id) ?? `${context.name}:${facts.id}`;
      thread.assistant(blocks, { ...facts, response: { id, model, stopReason } });
      return;
    }
    for (const item of items) {
      const result = readResult(item);
      if (result !== undefined) thread.result(result, { ...facts, id: `${facts.id}-result` });
    }
    thread.user(blocks, facts);
  }

  /** What the model saw of an item, results aside. */
  function readItem(item: JsonRecord, place: string): Block[] {
    const type = textOf(item.type) ?? 'unknown';
    if (type === 'toolResponse') return [];
    if (type === 'toolRequest' || type === 'frontendToolRequest') {
      const call = recordOf(item.toolCall);
      const { name, arguments: input = {} } = recordOf(call.value);
      const id = textOf(item.id) ?? place;
      if (textOf(name) === undefined) context.unused('toolRequest-without-call');
      return [{ type: 'tool_use', id, name: textOf(name) ?? 'unreadable', input }];
    }
    if (type === 'image')
      return [
        {
          type: 'image',
          source: { type: 'base64', media_type: item.mimeType, data: item.data },
        },
      ];
    if (type === 'thinking')
      return [
        {
          type,
          thinking: wordsOf(item.thinking),
          signature: textOf(item.signature) ?? NO_SIGNATURE,
        },
      ];
    if (type === 'redactedThinking')
      return [{ type: 'redacted_thinking', data: wordsOf(item.data) }];
    if (type === 'text' && isBlock(item)) return [{ type, text: item.text }];
    context.unused(`content/${type}`);
    return [];
  }

  function addSession(session: JsonRecord): void {
    context.identify(textOf(session.id));
    model = textOf(recordOf(session.model_config).model_name) ?? '';
    context.unusedFields(session, 'session', SESSION_FIELDS);
  }

  return {
    add(value, line) {
      if (isRecord(value) && textOf(value.role) !== undefined) addMessage(value, line);
      else {
        addSession(value);
        for (const message of context.records(value.conversation, 'message'))
          addMessage(message, line);
      }
    },
    finish: () => [thread.finish()],
  };
}

const MESSAGE_FIELDS = words('id role created content metadata');
const SESSION_FIELDS = words('id conversation model_config');

function readResult(item: JsonRecord): ToolResultBlock | undefined {
  if (item.type !== 'toolResponse') return undefined;
  const { status, value, error } = recordOf(item.toolResult);
  const isError = status === 'error' || recordOf(value).isError === true;
  const parts = itemsOf(error ?? recordOf(value).content ?? value);
  const texts = parts.map((part) => textOf(recordOf(part).text) ?? wordsOf(part));
  return {
    type: 'tool_result',
    tool_use_id: wordsOf(item.id),
    content: texts.join('\n'),
    ...(isError ? { is_error: true } : {}),
  };
}
