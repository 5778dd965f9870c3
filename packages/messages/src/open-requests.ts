import { callStop } from './call-stop.ts';
import { isThought } from './guards.ts';
import { type BlockLike, blocksOf, field, type MessageLike } from './like.ts';
import { growingListOf } from './shared-start.ts';
import {
  isInterruption,
  isMachineOrigin,
  isPersonBlock,
  isSummary,
  isSynthetic,
} from './who-said.ts';

/** What persons asked in a history and what became of it. All are positions of messages, ascending. */
export interface Requests {
  /** Asked and not answered to its end: a compaction keeps these messages as they are. */
  readonly open: readonly number[];
  /**
   * The same, said in a message that also holds tool results: it can only be kept with its round, or without its
   * results.
   */
  readonly beside: readonly number[];
  /** The person stopped it before it was answered: it is not worked on, and it must not be lost. */
  readonly stopped: readonly number[];
  /** Where the newest reply stands that ended its turn; -1 where there is none. */
  readonly lastAnswer: number;
}

/**
 * Which requests of persons are open, and which the person stopped. The one rule:
 *
 * - A request is closed by a reply that ends its turn. A step of a tool loop does not, nor does a reply that was cut,
 *   paused, aborted or failed or has not ended, that says no word (thinking, blank text, `(no content)`), or that no model wrote; by the words of
 *   other providers too (`finish_reason: 'length'`, `status: 'incomplete'`). Assistant messages in a row
 *   are one reply, but for one that failed behind an answer.
 * - A request is stopped when its work was aborted (a call that the person refused or aborted, an aborted reply, the mark
 *   of an interruption) and what comes next is a person or the end of the turn. Work that goes on by itself after an
 *   abort is not stopped, nor is what the person asks for again ("try again", "continue").
 * - Persons are as `isPerson` says, words beside tool results included.
 *
 * One pass over the messages, of a log that only grew over those that are new; of a text only its first words are read,
 * unless it begins as a machine's does.
 */
export function openRequests(messages: readonly MessageLike[]): Requests {
  const growing = growingListOf(messages);
  const known = growing && read.get(growing);
  if (growing) read.delete(growing); // until this is done
  // the last message is read anew each time: what follows it may make it a part of a longer reply
  const count = Math.max(0, messages.length - 1);
  const goesOn = known !== undefined && known.count <= count;
  const state = goesOn ? known.state : emptyState();
  for (let index = goesOn ? known.count : 0; index < count; index++) take(state, messages, index);
  if (growing) read.set(growing, known && !goesOn ? known : { count, state });
  const whole = copyOf(state);
  if (count < messages.length) take(whole, messages, count);
  return requestsOf(whole);
}

/** What was read of a growing list, so that a history which only grew is read on from there. */
interface Read {
  readonly count: number;
  readonly state: State;
}

// Memory of a pure function: dropping it changes nothing but time.
const read = new WeakMap<readonly MessageLike[], Read>();

const emptyState = (): State => ({
  waiting: [],
  stopped: [],
  halt: undefined,
  lastAnswer: -1,
  callsInReply: false,
  saysInReply: false,
});

const copyOf = (state: State): State => ({
  ...state,
  waiting: [...state.waiting],
  stopped: [...state.stopped],
});

function take(state: State, messages: readonly MessageLike[], index: number): void {
  const message = messages[index] as MessageLike;
  if (message.role === 'user') takeUser(state, message, index);
  if (message.role !== 'assistant') return;
  state.callsInReply ||= blocksOf(message).some(isCall);
  state.saysInReply ||= saysSomething(message);
  const next = messages[index + 1];
  const isLast = next?.role !== 'assistant' || !isOneReply(message, next);
  takeReply(state, message, { index, isLast });
  if (isLast) state.callsInReply = state.saysInReply = false;
}

function requestsOf(state: State): Requests {
  if (state.halt) stop(state);
  const waits = new Set(indexes(state.waiting));
  return {
    open: indexes(state.waiting.filter(({ beside }) => !beside)),
    beside: indexes(state.waiting.filter(({ beside }) => beside)),
    // a message in which the person went on after an interruption is worked on
    stopped: state.stopped.filter((index) => !waits.has(index)),
    lastAnswer: state.lastAnswer,
  };
}

/** A failed reply behind an answer is another one, unless both are parts of one response. */
function isOneReply(message: MessageLike, next: MessageLike): boolean {
  if (isSynthetic(next) !== isSynthetic(message)) return false;
  return stopReasonOf(next) !== 'error' || responseId(next) === responseId(message);
}

const responseId = (message: MessageLike): unknown => (message as Loose).response?.id;

interface Waiting {
  readonly index: number;
  readonly beside: boolean;
}

interface State {
  waiting: Waiting[];
  readonly stopped: number[];
  /** What was aborted since the work on the waiting requests last went on. */
  halt: 'reply' | 'call' | undefined;
  lastAnswer: number;
  /** Of the reply that is being read. */
  callsInReply: boolean;
  saysInReply: boolean;
}

const indexes = (waiting: readonly Waiting[]): readonly number[] =>
  waiting.map(({ index }) => index);

function stop(state: State): void {
  for (const { index } of state.waiting) state.stopped.push(index);
  state.waiting = [];
  state.halt = undefined;
}

function takeUser(state: State, message: MessageLike, index: number): void {
  const blocks = blocksOf(message);
  const beside = blocks.some(({ type }) => type === 'tool_result');
  const isMachine = isMachineOrigin(message) || isSummary(message);
  for (const block of blocks) {
    if (isInterruption(block) || isAbortedResult(block)) state.halt = 'call';
    else if (!isMachine && isPersonBlock(block)) {
      if (state.halt && asksAgain(block)) state.halt = undefined;
      else if (state.halt) stop(state);
      if (state.waiting.at(-1)?.index !== index) state.waiting.push({ index, beside });
    }
  }
}

interface ReplyPlace {
  readonly index: number;
  /** The last message of its reply. */
  readonly isLast: boolean;
}

function takeReply(state: State, message: MessageLike, place: ReplyPlace): void {
  if (isSynthetic(message)) return;
  const stopReason = stopReasonOf(message);
  if (stopReason === 'aborted') {
    state.halt = 'reply';
    return;
  }
  if (!place.isLast) return;
  if (state.callsInReply) {
    state.halt = undefined;
    return;
  }
  if (!ENDS.has(stopReason) || !state.saysInReply) return;
  // a reply right behind a refused call only says that the work stopped
  if (state.halt === 'call') stop(state);
  state.waiting = [];
  state.lastAnswer = place.index;
}

/** Ours stands in `response`, those of providers and their SDKs beside the content. */
interface Loose {
  readonly response?: { readonly id?: unknown; readonly stopReason?: unknown };
  readonly stop_reason?: unknown;
  readonly stopReason?: unknown;
  readonly finish_reason?: unknown;
  readonly finishReason?: unknown;
  readonly status?: unknown;
}

/** Undefined where nothing is said; null is said of a reply that has not come to its end. */
function stopReasonOf(message: MessageLike): unknown {
  const { response, stop_reason, stopReason, finish_reason, finishReason, status } =
    message as Loose;
  if (response?.stopReason !== undefined) return response.stopReason;
  const word = stop_reason ?? stopReason ?? finish_reason ?? finishReason;
  const isOpen =
    UNFINISHED.has(status) || [stop_reason, stopReason, finish_reason, finishReason].includes(null);
  const given = word ?? ENDS_OF_STATUS.get(status) ?? (isOpen ? null : undefined);
  if (typeof given !== 'string') return given;
  const lower = given.toLowerCase().replaceAll('-', '_');
  return OTHER_WORDS.get(lower) ?? lower;
}

/** Of OpenAI's Responses. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['incomplete', 'in_progress']);
const ENDS_OF_STATUS: ReadonlyMap<unknown, string> = new Map([
  ['failed', 'error'],
  ['cancelled', 'aborted'],
]);

/** What other providers call an end; the rest of their words end nothing. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['stop', 'end_turn'],
  ['complete', 'end_turn'],
  ['completed', 'end_turn'],
  ['content_filter', 'refusal'],
  ['safety', 'refusal'],
  ['cancelled', 'aborted'],
  ['canceled', 'aborted'],
]);

/** Where nothing says how a reply ended, it came to its end. */
const ENDS: ReadonlySet<unknown> = new Set([
  undefined,
  'end_turn',
  'stop_sequence',
  'refusal',
  'unknown',
]);

const isCall = ({ type }: BlockLike): boolean => type === 'tool_use';

const saysSomething = (message: MessageLike): boolean =>
  blocksOf(message).some((block) => !isThought(block) && !isWordless(block));

/** Blank, or what stands for a reply without a word: in Claude Code's words, and in ours. */
function isWordless(block: BlockLike): boolean {
  if (block.type !== 'text') return false;
  const text = field(block, 'text');
  return typeof text !== 'string' || WORDLESS.test(text.slice(0, 100));
}

const WORDLESS = /^\s*(?:\(no content\)|\[only thought\.\])?\s*$/i;

/** A person who asks that the work go on after it was stopped. */
function asksAgain(block: BlockLike): boolean {
  const text = block.type === 'text' ? field(block, 'text') : undefined;
  return typeof text === 'string' && AGAIN.test(text.trimStart().slice(0, 200));
}

const AGAIN =
  /^(?:(?:ok(?:ay)?|yes|please|sorry|now|then|so|and|just|can you|could you|bitte|ja)[\s,.!:]+)*(?:(?:re)?try(?: it| that| this)? ?(?:again|once more)|retry|(?:once )?again\b|once more|go on\b|continue\b|carry on|keep going|proceed\b|resume\b|do (?:it|that) again|(?:mach )?weiter\b|noch ?mal\b|noch einmal|versuch(?:e)? es (?:noch ?mal|noch einmal|erneut)|réessa|continuez|reprends|inténtalo|continúa|otra vez|继续|再试|続けて|もう一度)/iu;

/** A result that says the person aborted or refused the call. */
function isAbortedResult(block: BlockLike): boolean {
  if (block.type !== 'tool_result') return false;
  const content = field(block, 'content');
  const [first] = Array.isArray(content) ? (content as readonly BlockLike[]) : [];
  const text = typeof content === 'string' ? content : first && field(first, 'text');
  return typeof text === 'string' && callStop(text) !== undefined;
}
