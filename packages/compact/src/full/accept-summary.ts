import { aFunction, checkOptions, number, required } from '@varve/guards';
import { withoutStoppedSection } from '@varve/messages';
import { findOverflow } from '@varve/models';
import type { SummaryReply } from '../types.ts';
import { withoutEnvelope } from './summary-text.ts';
import { isOneWord, namesIn, sharedWords, tellingWords } from './telling-words.ts';

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
   * Gives the text of what the summary would stand for; asked for where the answer stands under no headings. Without it such an
   * answer is judged by how failures and refusals begin.
   */
  readonly replaced?: (() => string) | undefined;
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
  const read = readSummary(textOf(reply), options);
  if (read.kind === 'refused') return read;
  const tokens = options.sizeOf(read.text);
  if (tokens > options.replacedTokens * (1 - options.minSavings)) {
    return { kind: 'refused', reason: 'not-smaller' };
  }
  if (tokens > options.maxTokens) return { kind: 'refused', reason: 'over-bound' };
  if (losesEarlier(read.text, options.earlier)) return { kind: 'refused', reason: 'lost-earlier' };
  return { kind: 'accepted', text: read.text, tokens };
}

const EXPECTED = {
  replacedTokens: required(number()),
  maxTokens: required(number()),
  minSavings: required(number({ max: 1 })),
  sizeOf: required(aFunction),
  replaced: aFunction,
};

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

/** Cuts the scratchpad out and the summary free. An answer without the tags has to have headings of its own. */
function readSummary(answer: string, options: AcceptOptions): ReadResult {
  const error = errorOf(answer);
  if (error) return { kind: 'refused', reason: error };
  const text = withoutScratchpads(answer);
  const opened = OPENING_TAG.exec(text);
  const closed = text.toLowerCase().lastIndexOf('</summary>');
  const start = opened ? opened.index + opened[0].length : 0;
  const unterminated = text.includes('<scratchpad>') || (opened !== null && closed < start);
  if (unterminated) return { kind: 'refused', reason: 'cut-summary' };
  const inner = opened ? text.slice(start, closed) : text;
  const trimmed = withoutEnvelope(inner).trim();
  if (isEmptySummary(trimmed)) return { kind: 'refused', reason: 'empty-summary' };
  const failure = offTopic(trimmed, options);
  if (failure) return { kind: 'refused', reason: failure };
  if (!opened && !hasSections(trimmed)) return { kind: 'refused', reason: 'no-structure' };
  return { kind: 'read', text: trimmed };
}

const CLOSING_TAG = /<\/summary>/i;
const OPENING_TAG = /<summary(?:\s[^>\n]{0,200})?>/i;

const OPENED = '<scratchpad>';
const CLOSED = '</scratchpad>';

/** One that is not closed stays. Each character is looked at once, whatever an answer repeats. */
function withoutScratchpads(answer: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = answer.indexOf(OPENED, from);
    const end = start < 0 ? -1 : answer.indexOf(CLOSED, start);
    if (end < 0) return [...kept, answer.slice(from)].join('');
    kept.push(answer.slice(from, start));
    from = end + CLOSED.length;
  }
}

/** Characters; an answer that is an error text is short. */
const LONGEST_ERROR = 600;

/** An answer outside of any tags that a server or a proxy wrote. */
function errorOf(answer: string): SummaryRefusal | undefined {
  const text = answer.trim();
  if (PAGE.test(text)) return 'error-reply';
  if (text.length > LONGEST_ERROR || text.includes('<summary>')) return undefined;
  if (findOverflow(text)) return 'prompt-too-long';
  return failureText(text);
}

/** A page or an object that a server wrote in place of an answer. */
const PAGE =
  /^(?:```\w*\s*)?(?:<!doctype\b|<html\b|<head\b|<body\b|<\?xml\b|\{\s*"(?:type"\s*:\s*"error|error|message|detail)")/i;

/**
 * Why a text without headings is no summary of what it would replace: it shares no telling word with it. One that speaks to
 * somebody, as refusals, questions and notices of a gateway do, has to share a good part of them.
 */
function offTopic(text: string, { replaced, earlier }: AcceptOptions): SummaryRefusal | undefined {
  const failure = failureText(text);
  if (failure === 'error-reply' && PAGE.test(text)) return failure;
  if (hasHeading(text)) return undefined;
  if (replaced === undefined) return failure;
  if (isOneWord(text)) return failure ?? 'no-structure';
  const known = tellingWords(`${replaced()}\n${earlier ?? ''}`);
  if (known.size < LEAST_WORDS) return failure;
  const said = tellingWords(text);
  const least = failure || ADDRESSED.test(text) ? Math.ceil(said.size * LEAST_SHARED) : 1;
  return sharedWords(said, known) >= Math.max(1, least) ? undefined : (failure ?? 'no-structure');
}

/** Of the telling words of an answer that speaks to somebody. */
const LEAST_SHARED = 0.4;

const ADDRESSED = /\b(?:you|your|please|sorry|(?:i|we)(?:['’]m| am| can| could| will|['’]ll))\b/i;

const hasHeading = (text: string): boolean => hasSections(text) || MARKED_HEADING.test(text);

/** A heading in Markdown, numbered or bold, and text behind it. */
const MARKED_HEADING =
  /^\s{0,3}(?:#{1,6}\s+\S[^\n]{0,200}|\*\*[^*\n]{2,80}\*\*:?[ \t]*|\d{1,2}[.)]\s+[^\n]{2,80}:(?:\*\*)?[ \t]*)\n\s*\S/m;

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
  /^\W*(?:(?:api |http |internal |server |unexpected )*error\b\s*[:({\d]|internal (?:server )?error\b|an (?:internal |unexpected )?error (?:has )?occurred|bad gateway|(?:http )?[45]\d\d(?:$|\W+(?:$|error\b|bad|internal|service|server|gateway|too many|not found|unauthori[sz]ed|forbidden|overloaded|request))|gateway time-?out|(?:the )?(?:service|server|model) (?:is )?(?:temporarily |currently )?(?:unavailable|overloaded)|rate limit(?:s|ed)?(?:$|\W+(?:$|exceeded|reached|error|hit|retry))|too many requests|overloaded\b|request timed out)/i;

/** Headings of a summary, in any style: Markdown, numbered, bold, or a line that ends in a colon. */
const HEADING_LINE =
  /^\s{0,3}(?:#{1,6}\s+\S|\*\*[^*\n]{2,80}\*\*:?\s*$|\d{1,2}[.)]\s+(?:\*\*)?[^\n]{2,80}:(?:\*\*)?\s*$|[\p{Lu}\p{Lo}][^.!?\n]{1,60}:\s*$)/u;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Whether text stands under headings: two that a summary has, or three of any kind. */
function hasSections(text: string): boolean {
  const headings: string[] = [];
  let heading: string | undefined;
  for (const line of linesOf(text)) {
    const isHeading = line.length <= LONGEST_HEADING && HEADING_LINE.test(line);
    if (!isHeading && heading !== undefined) headings.push(heading);
    heading = isHeading ? line : undefined;
  }
  return headings.length >= 3 || headings.filter((line) => TOPIC.test(line)).length >= 2;
}

/** UTF-16 units. */
const LONGEST_HEADING = 200;

const TOPIC =
  /\b(?:summary|request|intent|goal|objective|task|context|concept|file|code|error|fix|problem|user|message|pending|current|work|state|status|next|step|progress|decision|done|completed|open|learned|finding|change|constraint|rule|background)s?\b/i;

/** Nothing but headings, words that say there is nothing under them, and places of a template that nobody filled in. */
const isEmptySummary = (text: string): boolean =>
  linesOf(text).every((line) => {
    if (line.length > LONGEST_HEADING) return ORNAMENT.test(line);
    const filled = line.replace(PLACEHOLDER, '');
    return HEADING_LINE.test(filled) || NOTHING.test(filled);
  });

/** `[Detailed description]`, `<what was asked>`, `{{task}}`, `...` */
const PLACEHOLDER = /(?:\[[^\][\n]*\]|<[^<>\n]*>|\{\{[^{}\n]*\}\}|\.{3}|…):?/g;

/** A line of nothing but marks, of whatever length; the other patterns are for short lines, because they look back. */
const ORNAMENT = /^[\s>*+\-#\d.)_`!]*$/;

const NOTHING =
  /^[\s>*+\-#\d.)_`]*(?:(?:none|nothing|n\/?a|nil|empty|not applicable|unknown)(?: (?:yet|so far|known|noted|to (?:report|hold|add)))?|no (?:items?|entries|content|data|information)|-+)?[\s.!*_`]*$/i;

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
