import { findOverflow } from '@varve/models';
import type { SummaryReply } from '../types.ts';
import { withoutEnvelope } from './summary-text.ts';

/** Why an answer is no summary. */
export type SummaryRefusal =
  | 'tool-call'
  | 'refused'
  | 'cut-summary'
  | 'empty-summary'
  | 'error-reply'
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
}

/**
 * Takes an answer for a summary only if it ended normally, calls no tool, says something once the scratchpad is cut out,
 * and is smaller than what it replaces and than the bound.
 */
export function acceptSummary(reply: SummaryReply, options: AcceptOptions): AcceptResult {
  const stopped = refusalOfStop(reply);
  if (stopped) return { kind: 'refused', reason: stopped };
  const read = readSummary(textOf(reply));
  if (read.kind === 'refused') return read;
  const tokens = options.sizeOf(read.text);
  if (tokens > options.replacedTokens * (1 - options.minSavings)) {
    return { kind: 'refused', reason: 'not-smaller' };
  }
  if (tokens > options.maxTokens) return { kind: 'refused', reason: 'over-bound' };
  return { kind: 'accepted', text: read.text, tokens };
}

function refusalOfStop({ content, stopReason }: SummaryReply): SummaryRefusal | undefined {
  if (stopReason === 'tool_use' || content.some(({ type }) => type === 'tool_use')) {
    return 'tool-call';
  }
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return undefined;
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

/** Cuts the scratchpad out and the summary free; without tags the whole text is the summary. */
function readSummary(answer: string): ReadResult {
  const error = errorOf(answer);
  if (error) return { kind: 'refused', reason: error };
  const text = withoutScratchpads(answer);
  const opened = text.indexOf('<summary>');
  const closed = text.lastIndexOf('</summary>');
  const unterminated = text.includes('<scratchpad>') || (opened >= 0 && closed < opened);
  if (unterminated) return { kind: 'refused', reason: 'cut-summary' };
  const inner = opened < 0 ? text : text.slice(opened + '<summary>'.length, closed);
  const trimmed = withoutEnvelope(inner).trim();
  if (trimmed === '') return { kind: 'refused', reason: 'empty-summary' };
  return { kind: 'read', text: trimmed };
}

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

function errorOf(answer: string): SummaryRefusal | undefined {
  const text = answer.trim();
  if (text.length > LONGEST_ERROR || text.includes('<summary>')) return undefined;
  if (findOverflow(text)) return 'prompt-too-long';
  return /^(?:api )?error\b\s*[:({\d]/i.test(text) ? 'error-reply' : undefined;
}
