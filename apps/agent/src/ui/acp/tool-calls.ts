import type {
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk';
import { recordOf, textOf } from '@varve/guards';
import { type Block, isText, isToolResult, type Message } from '@varve/messages';
import { fenced } from '../../commands/export.ts';
import type { AgentEvent } from '../../events.ts';
import type { Question } from '../../permissions/permissions.ts';
import { pathIn } from '../../tools/files.ts';
import type { ToolCall, ToolOutput } from '../../tools/tool.ts';
import { clean } from '../clean.ts';
import { describeCall } from '../describe.ts';
import { contentOf } from './content.ts';

type Named = Pick<ToolCall, 'id' | 'name' | 'input'>;
type Change = Extract<AgentEvent, { kind: 'call-change' }>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  ...{ Read: 'read', LS: 'read', read_stored: 'read', Edit: 'edit', Write: 'edit' },
  ...{ NotebookEdit: 'edit', Glob: 'search', Grep: 'search', ToolSearch: 'search' },
  ...{ Bash: 'execute', WebFetch: 'fetch', WebSearch: 'fetch', Task: 'think', Agent: 'think' },
  ...{ EnterPlanMode: 'switch_mode', ExitPlanMode: 'switch_mode' },
};

/** What it shows stands in the plan. */
const HIDDEN = new Set(['TodoWrite']);
/** Of an output, in characters. */
const MOST_SHOWN = 16_000;
/** While a command runs. */
const MOST_LATEST = 4_000;
const LATEST_MS = 200;
/** A larger file is shown by what was replaced in it, in characters. */
const MOST_DIFF = 256_000;

/** The calls of a session, as an editor shows them. */
export interface ToolCalls {
  /** A call that the model made. */
  made(call: Named): void;
  started(call: ToolCall): void;
  printed(id: string, text: string): void;
  changed(change: Change): void;
  ended(call: ToolCall, output: ToolOutput): void;
  refused(call: ToolCall, reason: string): void;
  /** Results of calls that nothing else was said of, such as those that no tool takes. */
  results(messages: readonly Message[]): void;
  /** The calls that will get no result. */
  stopped(): void;
  /** What a question is about. */
  asked(question: Question): ToolCallUpdate;
}

interface OpenCall {
  readonly toolCallId: string;
  change?: Change;
  latest: string;
  timer?: NodeJS.Timeout | undefined;
}

export function createToolCalls(
  send: (update: SessionUpdate) => void,
  { cwd }: { readonly cwd: string },
): ToolCalls {
  const open = new Map<string, OpenCall>();
  const used = new Set<string>();

  /** Some providers give an id again. */
  function idFor(id: string): string {
    let unique = id;
    for (let count = 2; used.has(unique); count++) unique = `${id}-${count}`;
    used.add(unique);
    return unique;
  }

  const update = ({ toolCallId }: OpenCall, fields: Omit<ToolCallUpdate, 'toolCallId'>) =>
    send({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });

  function made(call: Named): OpenCall | undefined {
    if (HIDDEN.has(call.name)) return undefined;
    const known = open.get(call.id);
    if (known !== undefined) return known;
    const made: OpenCall = { toolCallId: idFor(call.id), latest: '' };
    open.set(call.id, made);
    send({
      ...{ sessionUpdate: 'tool_call', toolCallId: made.toolCallId, status: 'pending' },
      ...aboutCall(call, cwd),
    });
    return made;
  }

  function end(id: string, isError: boolean, content: ToolCallContent[]): void {
    const call = open.get(id);
    if (call === undefined) return;
    open.delete(id);
    clearTimeout(call.timer);
    const locations = call.change === undefined ? {} : { locations: [placeOf(call.change)] };
    update(call, { status: isError ? 'failed' : 'completed', content, ...locations });
  }

  return {
    made: (call) => void made(call),
    started(call) {
      const known = made(call);
      // a hook may have changed what the model wrote
      if (known !== undefined) update(known, { status: 'in_progress', ...aboutCall(call, cwd) });
    },
    printed(id, text) {
      const call = open.get(id);
      if (call === undefined) return;
      call.latest = (call.latest + text).slice(-MOST_LATEST);
      call.timer ??= setTimeout(() => {
        call.timer = undefined;
        update(call, { content: [textContent(fenced(clean(call.latest)))] });
      }, LATEST_MS).unref();
    },
    changed(change) {
      const call = open.get(change.id);
      if (call !== undefined) call.change = change;
    },
    ended(call, output) {
      const change = open.get(call.id)?.change;
      const isChanged = change !== undefined && !output.isError;
      end(
        call.id,
        output.isError ?? false,
        isChanged ? [diffOf(change, call)] : outputContent(output.content),
      );
    },
    refused: (call, reason) => end(call.id, true, [textContent(reason)]),
    results(messages) {
      for (const block of messages.flatMap(({ content }) => content))
        if (isToolResult(block))
          end(block.tool_use_id, block.is_error ?? false, outputContent(block.content ?? ''));
    },
    stopped() {
      for (const id of [...open.keys()]) end(id, true, [textContent('Interrupted.')]);
    },
    asked(question) {
      const { call } = question;
      const known = made(call);
      return {
        ...{ toolCallId: known?.toolCallId ?? call.id, status: 'pending', ...aboutCall(call, cwd) },
        content: askedContent(question, cwd),
      };
    },
  };
}

/** What is known of a call before it runs. */
function aboutCall({ name, input }: Omit<Named, 'id'>, cwd: string) {
  const { file_path, notebook_path, path, offset } = recordOf(input);
  const told = textOf(file_path) || textOf(notebook_path) || textOf(path);
  const line = typeof offset === 'number' ? { line: offset } : {};
  const locations: ToolCallLocation[] = told === '' ? [] : [{ path: pathIn(cwd, told), ...line }];
  const kind: ToolKind = KINDS[name] ?? 'other';
  return { title: describeCall({ name, input }), name, kind, locations, rawInput: input };
}

/** All that a person has to see before they allow it. */
function askedContent({ call, reason, before }: Question, cwd: string): ToolCallContent[] {
  const { name, input } = call;
  const { command, file_path, content, old_string, new_string, plan } = recordOf(input);
  const why = reason === undefined ? [] : [textContent(clean(reason))];
  if (typeof command === 'string') return [...why, textContent(fenced(clean(command)))];
  if (typeof plan === 'string') return [...why, textContent(clean(plan))];
  const path = pathIn(cwd, textOf(file_path));
  if (name === 'Edit' && typeof new_string === 'string')
    return [...why, { type: 'diff', path, oldText: textOf(old_string), newText: new_string }];
  if (name !== 'Write' || typeof content !== 'string') return why;
  return [...why, { type: 'diff', path, oldText: before ?? null, newText: content }];
}

function diffOf({ path, before, after }: Change, { input }: ToolCall): ToolCallContent {
  const whole = { type: 'diff', path, oldText: before ?? null, newText: after } as const;
  if ((before?.length ?? 0) + after.length <= MOST_DIFF) return whole;
  const { old_string, new_string } = recordOf(input);
  if (typeof new_string !== 'string') return textContent(`Written: ${path}`);
  return { type: 'diff', path, oldText: textOf(old_string), newText: new_string };
}

/** The first line that differs. */
function placeOf({ path, before = '', after }: Change): ToolCallLocation {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = now.findIndex((line, index) => line !== old[index]);
  return { path, line: at < 0 ? 1 : at + 1 };
}

function outputContent(content: ToolOutput['content']): ToolCallContent[] {
  if (content instanceof Uint8Array) return outputContent(new TextDecoder().decode(content));
  if (typeof content === 'string')
    return content.trim() === '' ? [] : [textContent(fenced(cut(clean(content).trimEnd())))];
  return content.flatMap((block: Block): ToolCallContent[] =>
    isText(block)
      ? outputContent(block.text)
      : contentOf(block).map((shown) => ({ type: 'content', content: shown })),
  );
}

const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});

/** Its beginning and its end. */
function cut(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const half = MOST_SHOWN / 2;
  return `${text.slice(0, half)}\n[${text.length - MOST_SHOWN} characters are not shown]\n${text.slice(-half)}`;
}
