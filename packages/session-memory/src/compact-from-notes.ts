import { checkOptions, number, required } from '@varve/guards';
import type { ThinkingRule } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';
import { openRequests, stoppedSection } from '@varve/messages/persons';
import { thinkingDrops, withoutThinkingAt } from '@varve/messages/thinking';
import { redact } from '@varve/redact';
import { acceptSize } from '@varve/tokens/limits';
import { isEmptyNotes } from './check-notes.ts';
import { checkGroup, LIMITS, SAVINGS, TAIL } from './check-options.ts';
import type { NotesLimits, TextSize } from './limit-notes.ts';
import { summaryText } from './summary-text.ts';
import { type TailLimits, tailStart } from './tail.ts';
import { type NotesTemplate, parseTemplate } from './template.ts';

/**
 * Why notes could not stand in. `disabled`: by the caller; `no-notes`; `empty-template`: nobody wrote anything yet;
 * `cursor-not-found`: it is not known what they cover; `thinking-bound`: thinking in what stays may neither be sent nor
 * dropped now; `still-too-large`: it would not be below the threshold; `not-smaller`: it would save too little; `error`: notes could not be read. Any of them means that
 * another kind of compaction is tried.
 */
export type NoCompactionReason =
  | 'disabled'
  | 'no-notes'
  | 'empty-template'
  | 'cursor-not-found'
  | 'thinking-bound'
  | 'still-too-large'
  | 'not-smaller'
  | 'error';

/** Sizes in tokens. */
export interface CompactFromNotesOptions<M> extends NotesLimits {
  readonly notes: string | undefined;
  readonly template: NotesTemplate | string;
  /** Index of the last message that the notes cover. */
  readonly cursorIndex: number | undefined;
  /** The result has to be smaller than that, in tokens. */
  readonly thresholdTokens: number;
  /** Tokens of a message. */
  readonly sizeOf: (message: M) => number;
  /** Tokens of a text. */
  readonly textSize: TextSize;
  /** Size of the next request with system prompt and tools. @default that of the messages */
  readonly contextTokens?: number | undefined;
  /** Tokens of what the caller puts behind it. @default 0 */
  readonly attachmentTokens?: number | undefined;
  /** The share of the next request that has to be saved at least, attachments counted, from 0 to 1. @default 0.1 */
  readonly minSavings?: number | undefined;
  readonly tail?: TailLimits | undefined;
  /** Whether the history may be cut before an index, beside what pairs and responses say. @default everywhere */
  readonly mayCut?: ((index: number) => boolean) | undefined;
  readonly thinking: ThinkingRule;
  /** Where the full notes are, as the model is told. @default 'the notes file' */
  readonly where?: string | undefined;
  /** Where the whole conversation is kept, as the model is told. */
  readonly originals?: string | undefined;
  /** Takes secrets out of the notes that stand in. @default true */
  readonly redact?: boolean | undefined;
}

/** What stands in place of the messages that notes cover. */
export interface NotesSummaryMessage {
  readonly role: 'user';
  readonly content: string;
}

/** A history with notes in it, or why there is none. Sizes in tokens. */
export type NotesCompactionResult<M> =
  | {
      readonly kind: 'compacted';
      /** The summary, requests nobody answered yet, and what is kept: the same objects but for those that lost their thinking. */
      readonly messages: readonly (M | NotesSummaryMessage)[];
      readonly summaryText: string;
      /** Index of the first message that is kept; the number of messages where none is. */
      readonly keepFrom: number;
      /** Indexes before `keepFrom` of what a person said and nobody has answered to its end: it stays, behind the summary. */
      readonly openRequests: readonly number[];
      /** Indexes of kept messages whose thinking is dropped. */
      readonly dropThinking: readonly number[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** Headings of sections that were cut. */
      readonly cut: readonly string[];
    }
  | { readonly kind: 'none'; readonly reason: NoCompactionReason };

/**
 * Puts notes in place of the part of a plain history that they cover. No model call; nothing is mutated.
 *
 * @throws TypeError for a template that is none, RangeError and TypeError for numbers that make no sense.
 */
export function compactFromNotes<M extends MessageLike>(
  messages: readonly M[],
  options: CompactFromNotesOptions<M>,
): NotesCompactionResult<M> {
  const { notes, cursorIndex, thinking } = options;
  checkOptions(options, EXPECTED);
  checkGroup(options.tail, 'tail', TAIL);
  checkMessages(messages, 'messages');
  const template = templateOf(options.template);
  if (notes === undefined) return none('no-notes');
  if (isEmptyNotes(notes, template)) return none('empty-template');
  if (cursorIndex === undefined || messages[cursorIndex] === undefined) {
    return none('cursor-not-found');
  }
  const { sizeOf, mayCut, tail = {} } = options;
  const keepFrom = tailStart(messages, { ...tail, sizeOf, cursorIndex, mayCut });
  if (keepFrom === 0) return none('still-too-large');
  const facts = { rule: thinking, changedFrom: keepFrom, messagesStay: true };
  const { kind, drop } = thinkingDrops(messages, facts);
  if (kind === 'bound') return none('thinking-bound');
  return assemble(messages, { ...options, notes, template, keepFrom, dropThinking: drop });
}

const EXPECTED = {
  ...LIMITS,
  ...SAVINGS,
  thresholdTokens: required(number({ min: 0 })),
  contextTokens: number({ min: 0 }),
  attachmentTokens: number({ min: 0 }),
  sizeOf: required('a function'),
  textSize: required('a function'),
  mayCut: 'a function',
  thinking: required(['free', 'latest-turn', 'prefix-bound']),
} as const;

const none = (reason: NoCompactionReason) => ({ kind: 'none', reason }) as const;

const templateOf = (template: NotesTemplate | string): NotesTemplate =>
  typeof template === 'string' ? parseTemplate(template) : template;

interface AssembleOptions<M> extends CompactFromNotesOptions<M> {
  readonly notes: string;
  readonly template: NotesTemplate;
  readonly keepFrom: number;
  readonly dropThinking: readonly number[];
}

function assemble<M extends MessageLike>(
  messages: readonly M[],
  options: AssembleOptions<M>,
): NotesCompactionResult<M> {
  const { keepFrom, dropThinking, sizeOf, textSize, thresholdTokens } = options;
  const { attachmentTokens = 0, minSavings = 0.1 } = options;
  const open = openRequests(messages).open.filter((index) => index < keepFrom);
  const tail = withoutThinkingAt(messages, dropThinking).slice(keepFrom);
  const kept = [...open.map((index) => messages[index] as M), ...tail];
  const openFollows = open.length > 0;
  const clean = (text: string): string => (options.redact === false ? text : redact(text));
  const stopped = stoppedSection(messages, keepFrom, { clean });
  const summary = summaryText(clean(options.notes), {
    ...options,
    openFollows,
    stopped,
    sizeOf: textSize,
  });
  if (summary === undefined) return none('still-too-large');
  const all = total(messages, sizeOf);
  const { contextTokens: tokensBefore = all } = options;
  const around = Math.max(0, tokensBefore - all) + attachmentTokens;
  const tokensAfter = around + textSize(summary.text) + total(kept, sizeOf);
  const bounds = { ofTokens: tokensBefore, belowTokens: thresholdTokens, minSavings };
  const size = acceptSize(tokensAfter, bounds);
  if (size.kind === 'refused') return none(size.reason);
  return {
    kind: 'compacted',
    messages: [{ role: 'user', content: summary.text }, ...kept],
    summaryText: summary.text,
    keepFrom,
    openRequests: open,
    dropThinking,
    tokensBefore,
    tokensAfter,
    cut: summary.cut,
  };
}

function total<M>(messages: readonly M[], sizeOf: (message: M) => number): number {
  let tokens = 0;
  for (const message of messages) tokens += sizeOf(message);
  return tokens;
}
