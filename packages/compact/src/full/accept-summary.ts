import { checkOptions, number, required } from '@varve/guards';
import { withoutStoppedSection } from '@varve/messages/persons';
import { findOverflow } from '@varve/models/errors';
import { acceptSize } from '@varve/tokens/limits';
import type { SummaryReply } from '../types.ts';
import {
  hasHeading,
  hasSections,
  isEmptySummary,
  summaryIn,
  withoutHeadings,
} from './answer-shape.ts';
import { summaryInstruction } from './prompt.ts';
import {
  countWords,
  hasTellingWords,
  isOneWord,
  namesIn,
  sharedWords,
  speakAlike,
  tellingWords,
} from './telling-words.ts';

/** Why an answer is no summary. */
export type SummaryRefusal =
  | 'tool-call'
  | 'refused'
  | 'cut-summary'
  | 'empty-summary'
  | 'error-reply'
  | 'no-structure'
  | 'lost-earlier'
  | 'prompt-too-long'
  | 'not-smaller'
  | 'over-bound';

export type AcceptResult =
  | { readonly kind: 'accepted'; readonly text: string; readonly tokens: number }
  | { readonly kind: 'refused'; readonly reason: SummaryRefusal };

export interface AcceptOptions {
  /** What the summary would stand for, in tokens. */
  readonly replacedTokens: number;
  /** The most a summary may have, in tokens. */
  readonly maxTokens: number;
  /** The share of what is replaced that has to be saved at least, from 0 to 1. */
  readonly minSavings: number;
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
  /** The earlier summary that the new one takes over. @default none */
  readonly earlier?: string | undefined;
  /**
   * Gives the texts of what the summary would stand for, by which answers about something else are told. Without it an answer
   * without headings is judged by how failures and refusals begin.
   */
  readonly replaced?: (() => Iterable<string>) | undefined;
  /** The instruction that was sent: lines of it that are repeated say nothing. @default that of `summaryInstruction` */
  readonly asked?: string | undefined;
}

/**
 * Takes an answer for a summary only if it ended normally, calls no tool, has the form that was asked for, says something
 * under its headings or speaks of what it replaces, takes over an earlier summary, and is smaller than what it replaces and
 * than the bound.
 *
 * @throws RangeError for sizes that are no numbers; TypeError for functions that are none.
 */
export function acceptSummary(reply: SummaryReply, options: AcceptOptions): AcceptResult {
  checkOptions<AcceptOptions>(options, EXPECTED);
  const stopped = refusalOfStop(reply);
  if (stopped) return { kind: 'refused', reason: stopped };
  const read = readSummary(reply, options);
  if (read.kind === 'refused') return read;
  const tokens = options.sizeOf(read.text);
  const { replacedTokens: ofTokens, minSavings } = options;
  const size = acceptSize(tokens, { ofTokens, minSavings });
  if (size.kind === 'refused') return { kind: 'refused', reason: 'not-smaller' };
  if (tokens > options.maxTokens) return { kind: 'refused', reason: 'over-bound' };
  if (losesEarlier(read.text, options.earlier)) return { kind: 'refused', reason: 'lost-earlier' };
  return { kind: 'accepted', text: read.text, tokens };
}

const EXPECTED = {
  replacedTokens: required(number()),
  maxTokens: required(number()),
  minSavings: required(number({ max: 1 })),
  sizeOf: required('a function'),
  replaced: 'a function',
} as const;

function refusalOfStop(reply: SummaryReply): SummaryRefusal | undefined {
  const { content, stopReason } = reply;
  if (stopReason === 'tool_use' || content.some(({ type }) => type === 'tool_use')) {
    return 'tool-call';
  }
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return undefined;
    case undefined:
      // nobody says that it ended, so it has to say so itself
      return CLOSING_TAG.test(textOf(reply)) ? undefined : 'cut-summary';
    case 'refusal':
      return 'refused';
    case 'model_context_window_exceeded':
      return 'prompt-too-long';
    default:
      return 'cut-summary';
  }
}

const textOf = ({ content }: SummaryReply): string =>
  content
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');

type ReadResult =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: SummaryRefusal };

/** An answer without the tags has to have headings of its own. */
function readSummary(reply: SummaryReply, options: AcceptOptions): ReadResult {
  const refuse = (reason: SummaryRefusal) => ({ kind: 'refused', reason }) as const;
  const answer = textOf(reply);
  const error = errorOf(answer);
  if (error) return refuse(error);
  const found = summaryIn(answer, { isStopped: reply.stopReason === 'stop_sequence' });
  if (found.kind === 'cut') return refuse('cut-summary');
  const { text, isTagged } = found;
  if (TOOL_CALL.test(text)) return refuse('tool-call');
  if (isEmptySummary(text, options.asked ?? summaryInstruction())) return refuse('empty-summary');
  const failure = offTopic(text, options);
  if (failure) return refuse(failure);
  if (!isTagged && !hasSections(text)) return refuse('no-structure');
  return { kind: 'read', text };
}

const CLOSING_TAG = /<\/summary>/i;

/** A call that a model wrote as text, in the words of several. */
const TOOL_CALL =
  /^(?:```\w*\s*)?(?:<(?:\w{1,12}:)?(?:function_calls?|invoke|tool_calls?|tool_use|tool_code|function=)\b|\[TOOL_CALLS?\]|<\|(?:tool_calls?|python_tag|channel)|\[?\{\s*"(?:name|tool|function|tool_name|recipient_name|type"\s*:\s*"(?:tool_use|function))"\s*[:,])/i;

/** Characters; an answer that is an error text is short. */
const LONGEST_ERROR = 600;

/** An answer outside of any tags that a server or a proxy wrote. */
function errorOf(answer: string): SummaryRefusal | undefined {
  const text = answer.trim();
  if (PAGE.test(text)) return 'error-reply';
  if (text.length > LONGEST_ERROR || /<summary\b/i.test(text)) return undefined;
  if (findOverflow(text)) return 'prompt-too-long';
  return failureText(text);
}

/** A page or an object that a server wrote in place of an answer. */
const PAGE =
  /^(?:```\w*\s*)?(?:<!doctype\b|<html\b|<head\b|<body\b|<\?xml\b|\{\s*"(?:type"\s*:\s*"error|object"\s*:\s*"error|error|errors|message|detail|status|statusCode|code|fault|ok"\s*:\s*false)\b|HTTP\/\d[.\d]* [45]\d\d\b|data:\s*\{)/i;

/**
 * Why a text is no summary of what it would replace. One without headings shares no telling word with it, or, where it speaks
 * to somebody, as refusals, questions and notices of a gateway do, few of them. One under headings refuses under them, or is
 * in the language of what it would replace and shares hardly a word with it.
 */
function offTopic(text: string, options: AcceptOptions): SummaryRefusal | undefined {
  const { replaced, earlier } = options;
  const failure = failureText(text);
  if (failure === 'error-reply' && PAGE.test(text)) return failure;
  const isHeaded = hasHeading(text);
  if (replaced === undefined) return isHeaded ? undefined : failure;
  if (!isHeaded && isOneWord(text)) return failure ?? 'no-structure';
  const source: Source = function* () {
    yield* replaced();
    yield earlier ?? '';
  };
  if (!hasTellingWords(source(), LEAST_WORDS)) return isHeaded ? undefined : failure;
  if (isHeaded) return offTopicUnderHeadings(text, source);
  const said = tellingWords(text);
  const shared = failure || ADDRESSED.test(text) ? said.size * LEAST_SHARED : 1;
  return sharesWords(source, said, shared) ? undefined : (failure ?? 'no-structure');
}

/** Begins to read what a summary would replace; a word stands in one of its texts. */
type Source = () => Iterable<string>;

function offTopicUnderHeadings(text: string, source: Source): SummaryRefusal | undefined {
  const body = withoutHeadings(text);
  const said = tellingWords(body);
  const refuses = body.length <= LONGEST_ERROR && REFUSAL.test(body);
  if (refuses && !sharesWords(source, said, said.size * LEAST_SHARED)) return 'refused';
  if (said.size < LEAST_SAID || refuses) return undefined;
  if (sharesWords(source, said, said.size * LEAST_ABOUT)) return undefined;
  return speakAlike(body, beginningOf(source())) ? 'no-structure' : undefined;
}

/** Whether a text has so many of some words, and one at least. */
function sharesWords(source: Source, words: ReadonlySet<string>, shared: number): boolean {
  const least = Math.max(1, Math.ceil(shared));
  return countWords(source(), words, least) >= least;
}

/** As much of texts, one below the other, as tells their language. */
function beginningOf(texts: Iterable<string>): string {
  let read = '';
  for (const text of texts) {
    read += `${text}\n`;
    if (read.length >= LONG_SOURCE) break;
  }
  return read.slice(0, LONG_SOURCE);
}

/** UTF-16 units; so much of a text tells its language. */
const LONG_SOURCE = 100_000;

/** A text under headings with fewer telling words says too little to be judged by them. */
const LEAST_SAID = 5;
/** Of the telling words of a text under headings: one about something else has next to none of a short conversation. */
const LEAST_ABOUT = 0.15;

/** Of the telling words of an answer that speaks to somebody. */
const LEAST_SHARED = 0.4;

const ADDRESSED = /\b(?:you|your|please|sorry|(?:i|we)(?:['’]m| am| can| could| will|['’]ll))\b/i;

/** Whether a short text without sections tells of a failure, or refuses. */
function failureText(text: string): SummaryRefusal | undefined {
  if (PAGE.test(text)) return 'error-reply';
  if (text.length > LONGEST_ERROR || hasSections(text)) return undefined;
  if (REFUSAL.test(text)) return 'refused';
  return FAILURE.test(text) ? 'error-reply' : undefined;
}

const REFUSAL =
  /^\W*(?:(?:i['’]?m|i am|we['’]?re|we are) (?:very |so |really )?(?:sorry|afraid|unable|not able)|(?:sorry|apologies|unfortunately)\b|(?:as an ai\b.{0,80})?\b(?:i|we) (?:can(?:no|['’])t|can not|cannot|won['’]?t|will not|am unable|must decline|do not feel|don['’]t feel)\b|as an ai\b|this (?:request|content|conversation) (?:violates|was (?:blocked|flagged)))/i;

/** How texts begin that a provider, a gateway or a proxy puts in place of an answer. */
const FAILURE =
  /^\W*(?:(?:api |http |internal |server |unexpected )*error\b\s*[:({\d]|internal (?:server )?error\b|an (?:internal |unexpected )?error (?:has )?occurred|bad gateway|(?:http )?[45]\d\d(?:$|\W+(?:$|error\b|bad|internal|service|server|gateway|too many|not found|unauthori[sz]ed|forbidden|overloaded|request))|gateway time-?out|(?:the )?(?:service|server|model) (?:is )?(?:temporarily |currently )?(?:unavailable|overloaded)|rate limit(?:s|ed)?(?:$|\W+(?:$|exceeded|reached|error|hit|retry))|too many requests|overloaded\b|upstream (?:connect|request|server|service)?\s?(?:error|timeout|timed out|unavailable)|(?:stream|connection|network|socket) (?:error|timeout|timed out|time-out|reset|closed|failed|refused|hang up)\b|no healthy upstream|(?:connect |read |write |getaddrinfo )?E(?:CONN(?:RESET|REFUSED|ABORTED)|TIMEDOUT|NOTFOUND|PIPE|AI_AGAIN|HOSTUNREACH)\b|fetch failed|service unavailable|temporarily unavailable|unauthori[sz]ed\b|forbidden\b|(?:you|your (?:account|organization|credit balance|api key)).{0,60}\b(?:quota|too low|suspended|disabled|exceeded|invalid)|(?:invalid|incorrect|missing) api key|quota exceeded)/i;

/** A new summary has to hold this share of the words by which the earlier one is told apart. */
const LEAST_KEPT = 1 / 3;
/** A text with fewer such words is too short to judge by them. */
const LEAST_WORDS = 12;
/**
 * One of about the length of the earlier one may tell of much new work instead: it has to hold this share of its names. Of nine
 * pairs of recorded summaries that follow each other the least held 8 % (and 26 % of the words); of 497 pairs of summaries of
 * different sessions the median held none.
 */
const LEAST_NAMES_KEPT = 1 / 20;
const LEAST_NAMES = 12;
/** Of the telling words of the earlier one: recorded ones had at least 65 %. */
const ABOUT_AS_LONG = 1 / 2;

/** A summary that mentions hardly anything of the earlier one has not taken it over, however long it is. */
function losesEarlier(text: string, earlier: string | undefined): boolean {
  if (earlier === undefined) return false;
  const before = writtenPart(earlier);
  const wanted = tellingWords(before);
  if (wanted.size < LEAST_WORDS) return false;
  const said = tellingWords(text);
  if (sharedWords(wanted, said) >= wanted.size * LEAST_KEPT) return false;
  const names = namesIn(before);
  if (said.size < wanted.size * ABOUT_AS_LONG || names.size < LEAST_NAMES) return true;
  return sharedWords(names, namesIn(text)) < names.size * LEAST_NAMES_KEPT;
}

/** What a model wrote of a summary: the record behind it is appended to the new one as well. */
const writtenPart = (summary: string): string =>
  withoutStoppedSection(summary).split(/^# From the record of the session$/m)[0] ?? '';
