import { recordOf } from '@varve/guards';
import { type Block, fingerprint, type ToolResultBlock } from '@varve/messages';
import { isBlock } from './block-fields.ts';
import type { ImportContext } from './context.ts';
import { createIds } from './ids.ts';
import type { Importer } from './importer.ts';
import { countOf, itemsOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { identityOfAll } from './repeats.ts';
import { summaryMessage } from './summary-message.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/**
 * Goose: up to 1.9 a line with facts of the session and then a message a line, later a database, which is read as one object with its messages in
 * `conversation`; so is what Goose exports.
 */
export function createGoose(context: ImportContext): Importer {
  const sessions: [Session, ...Session[]] = [begin('main')];
  const makeId = createIds();
  let count = 0;

  function begin(id: string): Session {
    return { thread: createThread({ id, context }), messages: [], model: '' };
  }

  /** The messages of a session, when all are known: only a later summary tells what it stands for. */
  function readMessages({ thread, messages, model }: Session): void {
    const lastSummary = messages.findLastIndex(({ message }) => isForModelAlone(message));
    const reading = { thread, model, wasHidden: false };
    for (const [index, { message, line }] of messages.entries()) {
      count += 1;
      // no summary stands for it: the model never saw it
      if (isHidden(message) && index > lastSummary) context.unused('message/hidden');
      else addMessage(message, line, reading);
    }
  }

  function addMessage(message: JsonRecord, line: number, reading: Reading): void {
    const { thread, model } = reading;
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
    // a summary is for the model alone, and hidden by the next one; what it stands for is no longer shown to the model
    if (isForModelAlone(message) && reading.wasHidden) {
      const summary = [summaryMessage(blocks, { id: facts.id, at, role })];
      thread.span({ with: summary, receipt: { source: 'compaction' }, at });
      reading.wasHidden = false;
      return;
    }
    if (isHidden(message)) reading.wasHidden = true;
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

  /** An export holds its messages, so a second one is another session. */
  function sessionOf(value: JsonRecord): Session {
    const [first] = sessions;
    const isNext = Array.isArray(value.conversation) && first.messages.length > 0;
    const id = textOf(value.id);
    if (!isNext) context.identify(id);
    const name = makeId(id ?? `session-${sessions.length + 1}`);
    if (isNext) sessions.push(begin(name));
    return sessions.at(-1) ?? first;
  }

  return {
    identityOf(message, text) {
      const { role, id, created } = message;
      if (textOf(role) === undefined) return identityOfAll(message);
      if ((id ?? created) === undefined) return undefined;
      return { marks: [role, id, created], body: fingerprint(text) };
    },
    add(value, line) {
      if (textOf(value.role) !== undefined) {
        sessions.at(-1)?.messages.push({ message: value, line });
        return;
      }
      const session = sessionOf(value);
      session.model = textOf(recordOf(value.model_config).model_name) ?? '';
      context.unusedFields(value, 'session', SESSION_FIELDS);
      for (const message of context.records(value.conversation, 'message'))
        session.messages.push({ message, line });
    },
    finish: () =>
      sessions.map((session) => {
        readMessages(session);
        return session.thread.finish();
      }),
  };
}

interface Session {
  readonly thread: ThreadBuilder;
  readonly messages: { readonly message: JsonRecord; readonly line: number }[];
  model: string;
}

interface Reading {
  readonly thread: ThreadBuilder;
  readonly model: string;
  /** Whether the model was shown something before that it is shown no longer. */
  wasHidden: boolean;
}

const isForModelAlone = ({ metadata }: JsonRecord): boolean =>
  recordOf(metadata).userVisible === false;

const isHidden = (message: JsonRecord): boolean =>
  recordOf(message.metadata).agentVisible === false && !isForModelAlone(message);

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
