import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  anthropicProfile,
  type Block,
  createProjection,
  createRequestStamp,
  type Entry,
  type Head,
  isToolResult,
  isToolUse,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type PlanContext,
  type Planner,
  type ProviderProfile,
  parseEntry,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';
import { root } from '../src/workspace.ts';
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

/** Tokens of a message, by the estimator of the head's model; remembered. */
export function sizesOf({ model }: Pick<Head, 'model'>): (message: Message) => number {
  const { tokenizer } = resolveModel(model).model;
  let found = sizers.get(tokenizer);
  if (!found) {
    const sizes = new WeakMap<object, number>();
    const estimator = createEstimator({ family: tokenizer });
    found = (message) => {
      const known = sizes.get(message.content);
      if (known !== undefined) return known;
      const size = estimator.message(message);
      sizes.set(message.content, size);
      return size;
    };
    sizers.set(tokenizer, found);
  }
  return found;
}

const sizers = new Map<string, (message: Message) => number>();

export const headTokens = (head: Head): number =>
  createEstimator({ family: resolveModel(head.model).model.tokenizer }).head(head);

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

export interface Thread {
  readonly view: View;
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
  /** Appends a message; a reply carries the stamp of the view it answered. */
  say(message: Message): void;
}

const AT = '2026-02-01T00:00:00.000Z';

/** A log in memory that planners watch. */
export function threadOf(head: Head, ...planners: readonly Pick<Planner, 'observe'>[]): Thread {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    entries.push(entry);
    for (const planner of planners) planner.observe(entry, view);
  };
  append({ id: 'head-entry', at: AT, type: 'head', head });
  return {
    get view() {
      return view;
    },
    entries,
    append,
    say(message) {
      const response = message.response && {
        ...message.response,
        request: createRequestStamp(view, 0),
      };
      const stamped = response ? { ...message, response } : message;
      append({ id: `entry-${entries.length}`, at: AT, type: 'message', message: stamped });
    },
  };
}

export const editEntry = (id: string, edit: (Entry & { type: 'edit' })['edit']) =>
  ({ id, at: AT, type: 'edit', by: 'compact', reason: 'test', edit }) as const;

export interface ContextOptions {
  readonly head: Head;
  readonly windowTokens: number;
  readonly thinking: ThinkingRule;
}

/** What a planner is told of a view, sizes by estimate. */
export function contextOf(view: View, { head, windowTokens, thinking }: ContextOptions) {
  const sizeOf = sizesOf(head);
  const limits = limitsOf(head, windowTokens);
  const context: PlanContext = {
    nowMs: 0,
    atUserTurn: view.messages.at(-1)?.role === 'user',
    contextTokens: view.messages.reduce((sum, message) => sum + sizeOf(message), headTokens(head)),
    limits,
    sizeOf,
    cache: { warm: true, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
    thinking,
  };
  return context;
}

export function limitsOf({ model }: Head, windowTokens: number) {
  const { maxOutputTokens } = resolveModel(model).model;
  const limits = contextLimits({ windowTokens, maxOutputTokens });
  const { effectiveTokens, autocompactTokens = effectiveTokens } = limits;
  return { windowTokens, effectiveTokens, autocompactTokens };
}

export const profilesFor = (thinking: ThinkingRule): readonly ProviderProfile[] => [
  anthropicProfile({ thinking }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];
