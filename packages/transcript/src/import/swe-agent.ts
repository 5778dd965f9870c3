import type { Block } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { argumentsOf, type JsonRecord, listOf, recordOf, recordsOf, textOf } from './json.ts';
import { partsOf } from './openai-content.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/**
 * SWE-agent: one object; `history` is the message list. With function calling a call is a call; in text mode it is a command
 * in the text of the reply, and the next user message is its output: it becomes a call here too.
 */
export function createSweAgent(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  return {
    add(value, line) {
      const file = recordOf(value);
      const history = recordsOf(file.history);
      context.unusedFields(file, 'document', FIELDS);
      context.unused('trajectory-step', listOf(file.trajectory).length);
      addHead(thread, history, modelOf(file.replay_config));
      const reader = createReader(thread, context, line);
      for (const [index, message] of history.entries()) reader.add(message, `message-${index + 1}`);
      reader.end(recordsOf(file.trajectory).at(-1));
    },
    finish: () => [thread.finish()],
  };
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const FIELDS = words('history trajectory replay_config');
const MESSAGE_FIELDS = words('role content thought action tool_calls tool_call_ids');

function addHead(thread: ThreadBuilder, history: readonly JsonRecord[], model: string): void {
  const system = history
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }) => partsOf(content))
    .flatMap((block) =>
      block.type === 'text' ? [{ type: 'text', text: String(block.text) } as const] : [],
    );
  thread.head({ model, system, tools: [], params: {} });
}

/** The model stands in the configuration of the run, which is JSON inside a string. */
function modelOf(config: unknown): string {
  const agent = recordOf(recordOf(argumentsOf(config)).agent);
  return textOf(recordOf(agent.model).name) ?? '';
}

function createReader(thread: ThreadBuilder, context: ImportContext, line: number) {
  let command: string | undefined;

  function addReply(message: JsonRecord, id: string): void {
    const calls = recordsOf(message.tool_calls);
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
      context.unusedFields(message, `message/${String(message.role)}`, MESSAGE_FIELDS);
      if (message.role === 'assistant') addReply(message, id);
      else if (message.role === 'tool') {
        for (const callId of listOf(message.tool_call_ids)) addOutput(content, String(callId), id);
      } else if (message.role === 'user' && command !== undefined) {
        addOutput(content, command, id);
        command = undefined;
      } else if (message.role === 'user') thread.user(content, { id, line });
      else if (message.role !== 'system') context.unused(`message/${String(message.role)}`);
    },
  };
}

function callOf(call: JsonRecord, place: string): Block {
  const { name, arguments: input } = recordOf(call.function);
  return {
    type: 'tool_use',
    id: textOf(call.id) ?? place,
    name: String(name ?? ''),
    input: argumentsOf(input),
  };
}

/** Some files hold a block list as Python prints it, inside a string. */
const REPR =
  /^\[\{'type': 'text', 'text': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:, [^{}]*(?:\{[^{}]*\})?)?\}\]$/s;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function decodeRepr(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  const [, single, double] = REPR.exec(content) ?? [];
  const text = single ?? double;
  return (
    text?.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gs, (_, byte, unit, letter) =>
      letter === undefined
        ? String.fromCharCode(Number.parseInt(byte ?? unit, 16))
        : (ESCAPES.get(letter) ?? letter),
    ) ?? content
  );
}
