import { listOf, recordOf } from '@varve/guards';
import type { Block } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import {
  argumentsOf,
  itemsOf,
  type JsonRecord,
  recordsOf,
  textOf,
  words,
  wordsOf,
} from './json.ts';
import { partsOf } from './openai-content.ts';
import { textsIn } from './plain.ts';
import { identityOfAll } from './repeats.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/**
 * SWE-agent: one object; `history` is the message list. With function calling a call is a call; in text mode it is a command
 * in the text of the reply, and the next user message is its output: it becomes a call here too.
 */
export function createSweAgent(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  return {
    identityOf: identityOfAll,
    add(value, line) {
      const history = context.records(value.history, 'message');
      context.unusedFields(value, 'document', FIELDS);
      context.unused('trajectory-step', listOf(value.trajectory).length);
      const prompts = history.filter(({ role }) => role === 'system');
      const blocks = prompts.flatMap(({ content }) => partsOf(content));
      const model = modelOf(value.replay_config);
      thread.head({ model, system: textsIn(blocks, context), tools: [], params: {} });
      const reader = createReader(thread, context, line);
      for (const [index, message] of history.entries()) reader.add(message, `message-${index + 1}`);
      reader.end(recordsOf(value.trajectory).at(-1));
    },
    finish: () => [thread.finish()],
  };
}

const FIELDS = words('history trajectory replay_config');
const MESSAGE_FIELDS = words('role content thought action tool_calls tool_call_ids');

/** The model stands in the configuration of the run, which is JSON inside a string. */
function modelOf(config: unknown): string {
  const agent = recordOf(recordOf(argumentsOf(config)).agent);
  return textOf(recordOf(agent.model).name) ?? '';
}

function createReader(thread: ThreadBuilder, context: ImportContext, line: number) {
  let command: string | undefined;

  function addReply(message: JsonRecord, id: string): void {
    const calls = context.records(message.tool_calls, 'tool_call');
    const action = textOf(message.action);
    command = calls.length === 0 && action !== undefined ? `${id}-command` : undefined;
    const text = command === undefined ? message.content : (message.thought ?? message.content);
    const uses = calls.map((call, index) => callOf(call, `${id}-call-${index}`));
    const typed = {
      type: 'tool_use',
      id: command ?? '',
      name: 'command',
      input: { command: action },
    };
    thread.assistant([...partsOf(text), ...uses, ...(command === undefined ? [] : [typed])], {
      id,
      line,
    });
  }

  function addOutput(content: Block[], callId: string, id: string): void {
    thread.result({ type: 'tool_result', tool_use_id: callId, content }, { id, line });
  }

  return {
    /** The output of a last command stands in the steps alone: the model did not see it any more. */
    end(step: JsonRecord | undefined): void {
      if (command === undefined || typeof step?.observation !== 'string') return;
      addOutput([{ type: 'text', text: step.observation }], command, `${command}-output`);
    },
    add(message: JsonRecord, id: string): void {
      const content = partsOf(decodeRepr(message.content));
      context.unusedFields(message, `message/${textOf(message.role) ?? 'unknown'}`, MESSAGE_FIELDS);
      if (message.role === 'assistant') addReply(message, id);
      else if (message.role === 'tool') {
        const callIds = itemsOf(message.tool_call_ids);
        for (const callId of callIds.length === 0 ? [''] : callIds) {
          addOutput(content, wordsOf(callId), id);
        }
      } else if (message.role === 'user' && command !== undefined) {
        addOutput(content, command, id);
        command = undefined;
      } else if (message.role === 'user') thread.user(content, { id, line });
      else if (message.role !== 'system')
        context.unused(`message/${textOf(message.role) ?? 'unknown'}`);
    },
  };
}

function callOf(call: JsonRecord, place: string): Block {
  const { name, arguments: input } = recordOf(call.function);
  return {
    type: 'tool_use',
    id: textOf(call.id) ?? place,
    name: wordsOf(name),
    input: argumentsOf(input),
  };
}

/** Some files hold a block list as Python prints it, inside a string. */
const REPR_START = "[{'type': 'text', 'text': ";
const REPR_END = /^(?:, [^{}]*(?:\{[^{}]*\})?)?\}\]$/s;

const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gs;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function decodeRepr(content: unknown): unknown {
  if (typeof content !== 'string' || !content.startsWith(REPR_START)) return content;
  const start = REPR_START.length + 1;
  const end = endOfQuote(content, start);
  if (!REPR_END.test(content.slice(end + 1))) return content;
  const text = content
    .slice(start, end)
    .replace(ESCAPE, (_, byte, unit, point, letter) =>
      letter === undefined ? characterOf(byte ?? unit ?? point) : (ESCAPES.get(letter) ?? letter),
    );
  return text.toWellFormed();
}

/** Where the string ends whose first character is at `start`; a loop, since the text of a tool may be very long. */
function endOfQuote(text: string, start: number): number {
  const quote = text[start - 1];
  let index = start;
  for (; index < text.length && text[index] !== quote; index++) if (text[index] === '\\') index++;
  return index;
}

function characterOf(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
}
