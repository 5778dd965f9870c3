import { expected, textOf } from '@varve/guards';
import type { Entry, Head, Message, View } from '@varve/messages';
import { checkMessages } from '@varve/messages/foreign';
import { type ToolKind, toolKind, toolLabel } from '@varve/messages/tools';
import { redactJson, redact as redactText } from '@varve/redact';
import type { Fact, Superseded } from './fact.ts';
import { checkLedgerOptions } from './options.ts';
import { createRewinds } from './rewinds.ts';
import { createLedgerState, type LedgerState } from './state.ts';

/** Facts of a session, extracted mechanically as it grows. It knows no model and makes nothing up. */
export interface Ledger {
  /**
   * Takes the next message, in order. Costs what the message is long, however long the session is. Throws a `TypeError` for one
   * without an id, and a `MessagesError` for one of another library.
   */
  add(message: Message): void;
  /**
   * Folds over a log: messages as they were appended, whatever later edits make of them. A rewind (a span with nothing in its
   * place, whose `by` or `reason` says `rewind`) forgets what it removed, and its undo brings it back; only these two read
   * the session again. `view` is the one after the entry, as a projection made it: it knows which rewinds are in force and
   * what they took, the messages that a summary stood for included. Messages are read when something is asked, or by `catchUp`;
   * one that cannot be read is passed over.
   */
  observe(entry: Entry, view: View): void;
  /**
   * Reads messages that were observed, the oldest first and no more than `most`, and says whether any are left. Whatever is
   * asked reads all of them by itself: this is for moments in which there is time, such as while a model answers.
   */
  catchUp(most?: number): boolean;
  /** What holds now; what was superseded is gone. In order of importance, then age, the oldest first. */
  facts(): readonly Fact[];
  /** What held once and does not any more, with what took its place. */
  superseded(): readonly Superseded[];
  /** Everything the person said, message by message, in order. */
  words(): readonly string[];
  /** Where the person agreed to something, in order. */
  approvals(): readonly Approval[];
  /**
   * What stands in results of calls that were refused. Agents put there what the person said to it, but so could a tool: never
   * taken for the person's words, only to mark a quote rather than remove it.
   */
  refusals(): readonly string[];
  /** Whether a code-like name (a path, an identifier) ever stood in the session, in whatever spelling of the path. */
  mentions(name: string): boolean;
  /** Takes secrets out of a text, as they were taken out of the facts; the same text where they were not. */
  redact(text: string): string;
}

/** Words with which a person agreed to something. */
export interface Approval {
  readonly said: string;
  /** The end of the reply that they answer; empty where there was none. */
  readonly about: string;
}

export interface LedgerOptions {
  /**
   * What tools of the host are, by their names: `{ 'desk.ask': 'ask' }`. They come on top of the names that well-known agents
   * use. Only what is named speaks for the person (`ask`, `plan`) or keeps todos.
   */
  readonly tools?: Readonly<Record<string, ToolKind>> | undefined;
  /** Takes secrets out of what is read, so that no fact, and nothing that is checked or rendered, holds one. @default true */
  readonly redact?: boolean | undefined;
}

const A_MESSAGE_ID = { what: 'a text that no other message has; its position will do' };

/**
 * Creates an empty ledger.
 *
 * @throws TypeError for a kind of tool that does not exist, or a switch that is none.
 */
export function createLedger(options: LedgerOptions = {}): Ledger {
  checkLedgerOptions(options);
  const { tools = {}, redact = true } = options;
  const cleaned = redact ? withoutSecrets : (message: Message) => message;
  const named = new Map(Object.entries(tools));
  const kindOf = (name: string): ToolKind | undefined => named.get(name) ?? toolKind(name);
  let state: LedgerState = createLedgerState(kindOf);
  const messages: Message[] = [];
  const heads: string[] = [];
  const rewinds = createRewinds();
  /** Asked for several times by a rendering and by a check, between two messages. */
  let facts: readonly Fact[] | undefined;
  const unread: Message[] = [];
  /** The state is not that of the messages: some were taken back, or one of them was read in part. */
  let isStale = false;
  const add = (given: Message): void => {
    facts = undefined;
    try {
      const message = cleaned(given);
      state.add(message);
      messages.push(message);
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  const replay = (): void => {
    facts = undefined;
    state = createLedgerState(kindOf);
    for (const head of heads) state.know(head);
    for (const message of rewinds.survivors(messages)) state.add(message);
  };
  const catchUp = (most = unread.length): boolean => {
    for (const message of unread.splice(0, most)) {
      try {
        add(message);
      } catch {
        // the log took it, and whoever asks for facts can do nothing about it
      }
    }
    if (unread.length > 0) return true;
    if (isStale) replay();
    isStale = false;
    return false;
  };
  /** The state with all that was observed in it. */
  const now = (): LedgerState => {
    catchUp();
    return state;
  };
  /** The system prompt and the tools are no facts, but what they name is not made up. */
  const learn = ({ system, tools }: Head): void => {
    const named = tools.map((tool) => `${toolLabel(tool)} ${tool.description ?? ''}`);
    const text = [...system.map((block) => block.text), ...named].join('\n');
    heads.push(text);
    state.know(text);
  };
  return {
    add(message) {
      checkMessages([message], 'messages');
      // facts are found again by the message that said them
      if (textOf(message.id).trim() === '') throw expected('message.id', A_MESSAGE_ID, message.id);
      catchUp();
      add(message);
    },
    observe(entry, view) {
      if (entry.type === 'message') unread.push(entry.message);
      else if (entry.type === 'head') learn(entry.head);
      else if (rewinds.take(entry, view)) isStale = true;
    },
    catchUp,
    facts() {
      catchUp();
      facts ??= sorted(state.facts());
      return [...facts];
    },
    superseded: () => now().superseded(),
    words: () => now().words(),
    approvals: () => now().approvals(),
    refusals: () => now().refusals(),
    mentions: (name) => now().mentions(name),
    redact: redact ? redactText : (text) => text,
  };
}

/** Before anything is cut out of it: half a secret has no form to be known by. */
function withoutSecrets(message: Message): Message {
  const { content: given } = message;
  const content = redactJson(given, { skip: isMedia });
  return content === given ? message : { ...message, content };
}

/** The bytes of a picture or a document, of which no fact is made. */
const isMedia = (value: object): boolean => 'type' in value && value.type === 'base64';

function sorted(facts: readonly Fact[]): Fact[] {
  return facts.toSorted(
    (left, right) => right.weight - left.weight || left.position - right.position,
  );
}
