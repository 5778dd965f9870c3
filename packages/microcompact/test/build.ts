import { createProjection, type Edit, type Entry, type Message, type View } from '@varve/messages';
import type { Microcompact } from '../src/planner.ts';
import { toEntry } from './working-log.ts';

/** About as many tokens as asked for, in a text that differs from call to call. */
export const textOf = (tokens: number, seed = 0): string =>
  Array.from(
    { length: Math.ceil(tokens / 3) },
    (_, index) => `word ${(index * 7 + seed) % 97}`,
  ).join(' ');

export interface Round {
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly isError?: boolean;
  /** Before the call. */
  readonly thinking?: string;
}

export interface PlainMessage {
  readonly role: 'user' | 'assistant';
  readonly content:
    | string
    | readonly { readonly type: string; readonly [field: string]: unknown }[];
}

export const said = (text = 'Go on.'): PlainMessage => ({ role: 'user', content: text });

export const replied = (text = 'Done.'): PlainMessage => ({ role: 'assistant', content: text });

/** One call and its result. */
export function round(index: number, options: Round = {}): PlainMessage[] {
  const { id = `call-${index}`, name = 'Read', thinking, isError } = options;
  const { input = { file_path: `src/file-${index}.ts` }, output = textOf(1_500, index) } = options;
  const thought = { type: 'thinking', thinking, signature: 'c2ln' };
  const result = { type: 'tool_result', tool_use_id: id, content: output };
  return [
    {
      role: 'assistant',
      content: [
        ...(thinking === undefined ? [] : [thought]),
        { type: 'tool_use', id, name, input },
      ],
    },
    { role: 'user', content: [isError ? { ...result, is_error: true } : result] },
  ];
}

/** A user message and rounds numbered from 0. */
export function history(rounds: readonly Round[]): PlainMessage[] {
  return [said('Fix the failing test.'), ...rounds.flatMap((one, index) => round(index, one))];
}

/** So many equal rounds. */
export const rounds = (count: number, options: Round = {}): Round[] =>
  Array.from({ length: count }, () => options);

/** A log that a planner watches. */
export interface Watched {
  readonly view: View;
  readonly entries: readonly Entry[];
  say(message: PlainMessage, at?: string): void;
  edit(edit: Edit): void;
}

/** A log that starts with a history, each message at `at`. */
export function watched(
  planner: Pick<Microcompact, 'observe'>,
  messages: readonly PlainMessage[],
): Watched {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    entries.push(entry);
    planner.observe(entry, view);
  };
  const log: Watched = {
    get view() {
      return view;
    },
    entries,
    say(message, at = '2026-01-01T00:00:00.000Z') {
      const id = `m${entries.length}`;
      append({ id: `e${entries.length}`, at, type: 'message', message: toMessage(message, id) });
    },
    edit: (edit) => append(toEntry(edit, `e${entries.length}`)),
  };
  for (const message of messages) log.say(message);
  return log;
}

/** Messages of a log, numbered. */
export const toMessages = (messages: readonly PlainMessage[]): Message[] =>
  messages.map((message, index) => toMessage(message, `m${index}`));

function toMessage({ role, content }: PlainMessage, id: string): Message {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { id, role, content: blocks };
}

/** Contents of all results of a history, in order. */
export function outputsOf(
  messages: readonly { readonly content: PlainMessage['content'] }[],
): unknown[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.filter(({ type }) => type === 'tool_result').map((block) => block.content),
  );
}
