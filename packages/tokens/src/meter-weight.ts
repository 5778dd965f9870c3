import type { MessageLike } from '@varve/messages/blocks';
import { personBlocks } from '@varve/messages/persons';
import { addClasses, type ClassTokens, NO_TOKENS } from './content-class.ts';
import type { Estimator } from './estimator.ts';

/** What a run of messages adds to a prompt, before a model's calibration. Weights add and subtract. */
export interface Weight {
  readonly shown: ClassTokens;
  /** Replies whose cost beyond what they show is not billed yet, by whether their thinking is hidden. */
  readonly shownReplies: number;
  readonly hiddenReplies: number;
  /** Thinking of earlier turns that the provider left out again, in tokens. */
  readonly droppedTokens: number;
}

export const NO_WEIGHT: Weight = {
  shown: NO_TOKENS,
  shownReplies: 0,
  hiddenReplies: 0,
  droppedTokens: 0,
};

export function addWeights(a: Weight, b: Weight): Weight {
  return {
    shown: addClasses(a.shown, b.shown),
    shownReplies: a.shownReplies + b.shownReplies,
    hiddenReplies: a.hiddenReplies + b.hiddenReplies,
    droppedTokens: a.droppedTokens + b.droppedTokens,
  };
}

export function subtractWeights(a: Weight, b: Weight): Weight {
  return {
    shown: subtractClasses(a.shown, b.shown),
    shownReplies: a.shownReplies - b.shownReplies,
    hiddenReplies: a.hiddenReplies - b.hiddenReplies,
    droppedTokens: a.droppedTokens - b.droppedTokens,
  };
}

function subtractClasses(a: ClassTokens, b: ClassTokens): ClassTokens {
  return {
    text: a.text - b.text,
    dense: a.dense - b.dense,
    cjk: a.cjk - b.cjk,
    script: a.script - b.script,
    media: a.media - b.media,
    framing: a.framing - b.framing,
  };
}

/** A message as the meter sees it. */
export interface WeighedMessage {
  readonly shown: ClassTokens;
  readonly reply: 'none' | 'shown' | 'hidden';
  /** Holds more than text and calls: what it was billed may be far from what can be read. */
  readonly isOpaque: boolean;
  /** Estimated tokens of the thinking a reply shows. */
  readonly shownThinking: number;
  /** Written by a person: where providers that drop old thinking do so. */
  readonly startsTurn: boolean;
}

/** Weighs one message; the estimator remembers, so that weighing it again costs nothing. */
export function weighMessage(message: MessageLike, estimator: Estimator): WeighedMessage {
  const thinking = message.role === 'assistant' ? thinkingOf(message) : [];
  return {
    shown: estimator.classes(message),
    reply: message.role !== 'assistant' ? 'none' : thinking.some(isHidden) ? 'hidden' : 'shown',
    isOpaque: typeof message.content !== 'string' && message.content.some(isOpaque),
    shownThinking: thinking.reduce((sum, block) => sum + estimator.block(block), 0),
    startsTurn: personBlocks(message).length > 0,
  };
}

interface ThinkingLike {
  readonly type: string;
  readonly thinking?: unknown;
}

function thinkingOf({ content }: MessageLike): readonly ThinkingLike[] {
  if (typeof content === 'string') return [];
  return content.filter((block) => block.type === 'thinking' || block.type === 'redacted_thinking');
}

/** Not a text, nor a call or result, whoever runs the tool. */
const isOpaque = ({ type }: { readonly type: string }): boolean =>
  !/^text$|tool_use$|tool_result$/.test(type);

const isHidden = ({ thinking }: ThinkingLike): boolean => !thinking;
