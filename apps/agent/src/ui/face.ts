import type { Answer, Question } from '../permissions/permissions.ts';
import type { Tone } from './render.ts';

/** A thing to choose, with what to say of it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly about?: string | undefined;
  /** It holds already: a list begins there. */
  readonly isNow?: boolean | undefined;
}

/** A command or a skill. */
export interface Offered {
  readonly name: string;
  /** What may stand behind its name. */
  readonly hint?: string | undefined;
  readonly about: string;
}

/** What a conversation with a person is shown on: the terminal, or plain lines. */
export interface Face {
  /** Whole lines. */
  show(text: string, tone: Tone): void;
  /** A text that arrives in pieces. */
  stream(text: string, tone: Tone): void;
  endStream(): void;
  /** What goes on now; an empty text where nothing does. */
  working(text: string): void;
  /** Messages that wait until they can be sent. */
  queued(texts: readonly string[]): void;
  /** Model, mode, and how full and dear the conversation is. */
  footer(text: string): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** The value that was chosen; undefined where none was. */
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** What a person can call by a slash. */
  offer(commands: readonly Offered[]): void;
  /** What a person may change and send, one after the other, and what they are typing now behind it. */
  setInput(texts: readonly string[]): void;
  close(): Promise<void>;
}

/** What a person does. */
export interface Handlers {
  submit(text: string): void;
  /** What stands in the input now, and what comes into it behind that. */
  typed(texts: readonly string[]): void;
  /** Esc: what runs is to stop. */
  stop(): void;
  /** Shift-Tab: the next permission mode. */
  nextMode(): void;
  leave(how: 'asked' | 'interrupted'): void;
}
