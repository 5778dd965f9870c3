import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Block,
  type Head,
  isToolResult,
  isToolUse,
  type Message,
  parseEntry,
} from '@varve/messages';
import { root } from '../src/workspace.ts';
import { sizesOf, threadOf } from './compact-thread.ts';
import { deepFreeze } from './fork-support.ts';

export interface Fixture {
  readonly name: string;
  readonly head: Head;
  readonly messages: readonly Message[];
}

const folder = join(root, 'fixtures', 'sessions');

/** The recorded sessions, frozen: whoever changes one of their messages throws. */
export const FIXTURES: readonly Fixture[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const entries = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').map(parseEntry);
    const heads = entries.flatMap((entry) => (entry.type === 'head' ? [entry.head] : []));
    const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    return deepFreeze({ name: file.replace('.jsonl', ''), head: heads[0] as Head, messages });
  });

export const hasThoughts = ({ messages }: Fixture): boolean =>
  messages.some(({ content }) => content.some(({ type }) => type === 'thinking'));

/** The session over and over, each pass under ids of its own. */
export function* passesOf({ messages }: Fixture): Generator<Message> {
  for (let pass = 1; ; pass++) {
    for (const message of messages) yield pass === 1 ? message : renamed(message, pass);
  }
}

function renamed(message: Message, pass: number): Message {
  const name = (id: string) => `${id}-pass-${pass}`;
  const content = message.content.map((block): Block => {
    if (isToolUse(block)) return { ...block, id: name(block.id) };
    return isToolResult(block) ? { ...block, tool_use_id: name(block.tool_use_id) } : block;
  });
  return deepFreeze({ ...message, id: name(message.id), content });
}

/** Where a state is cut: behind words of a person, calls that wait, results that were not read, or a reply. */
export type CutKind = 'after-user' | 'in-round' | 'after-results' | 'after-reply';
export const CUT_KINDS: readonly CutKind[] = [
  'after-user',
  'in-round',
  'after-results',
  'after-reply',
];

function kindOf({ role, content }: Message, waiting: number): CutKind {
  if (waiting > 0) return 'in-round';
  if (role === 'assistant') return 'after-reply';
  return content.some(isToolResult) ? 'after-results' : 'after-user';
}

/** How many more calls wait for their results than before. */
const opens = ({ content }: Message): number =>
  content.filter(isToolUse).length - content.filter(isToolResult).length;

export interface GrownState {
  /** As they are logged. */
  readonly messages: readonly Message[];
  /** What comes until no call at the end waits for its result any more. */
  readonly results: readonly Message[];
  /** Of the messages. */
  readonly tokens: number;
}

/** The session grown to at least so many tokens of messages, and cut at the first place of the kind from there. */
export function grownState(fixture: Fixture, leastTokens: number, kind: CutKind): GrownState {
  const messages: Message[] = [];
  const source = passesOf(fixture);
  const sizeOf = sizesOf(fixture.head);
  let [tokens, waiting, isDone] = [0, 0, false];
  while (!isDone) {
    const message = source.next().value as Message;
    messages.push(message);
    tokens += sizeOf(message);
    waiting += opens(message);
    isDone = tokens >= leastTokens && kindOf(message, waiting) === kind;
  }
  const results: Message[] = [];
  while (waiting > 0) {
    const message = source.next().value as Message;
    results.push(message);
    waiting += opens(message);
  }
  return { messages: Object.freeze(messages), results, tokens };
}

/** The same as a plain history, in which the results of a reply are one message. */
export function plainState({ messages, results }: GrownState, head: Head): PlainState {
  const thread = threadOf(head);
  for (const message of messages) thread.say(message);
  const { messages: closed, open } = thread.view;
  for (const message of results) thread.say(message);
  const history = open ? [...closed, open.assistant] : closed;
  const next = thread.view.messages.slice(history.length);
  return { history: deepFreeze(history), next };
}

export interface PlainState {
  readonly history: readonly Message[];
  /** The results that its last calls wait for. */
  readonly next: readonly Message[];
}
