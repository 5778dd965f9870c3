import { isToolResult } from './guards.ts';
import { type BlockLike, blocksOf, field, isBlank, type MessageLike } from './like.ts';
import type { Block } from './types.ts';

/**
 * Whether a person said a message: one of the user role without tool results, whose origin is no machine's and that
 * holds something of a person's own. Text that is nothing but what an agent put in (reminders, notices, the output of its
 * own commands, the mark of an interruption, a summary) is no person's, even where the message names no origin. Words
 * that stand beside tool results are found by `openRequests`.
 */
export function isPerson(message: MessageLike): boolean {
  const said = personBlocks(message);
  return said.length > 0 && !blocksOf(message).some((block) => isToolResult(block as Block));
}

/** The blocks of a message that a person wrote or attached, by the rules of `isPerson`; those beside tool results included. */
export function personBlocks(message: MessageLike): readonly BlockLike[] {
  if (message.role !== 'user' || isMachineOrigin(message)) return [];
  return blocksOf(message).filter(isPersonBlock);
}

/** What an agent put into a conversation in the user's role: reminders, and its parts of a person's message, tags included. */
export function injectedTexts(message: MessageLike): readonly string[] {
  if (message.role !== 'user') return [];
  const texts = blocksOf(message)
    .filter(({ type }) => type === 'text')
    .map((block) => String(field(block, 'text')));
  if (originKind(message) === 'reminder') return texts;
  return originKind(message) === undefined
    ? texts.flatMap((text) => splitInjected(text).injected)
    : [];
}

/** Whether a message names an origin that is neither a person nor a command that a person typed. */
export function isMachineOrigin(message: MessageLike): boolean {
  const kind = originKind(message);
  return kind !== undefined && kind !== 'command';
}

/** A summary that a compaction wrote: by its origin, or by its first words where it has none. */
export function isSummary(message: MessageLike): boolean {
  if (originOf(message) !== undefined) return originKind(message) === 'summary';
  return message.role === 'user' && blocksOf(message).some(isSummaryText);
}

/**
 * Made up to close a round or to stand for a reply that failed: by its origin, by the model that Claude Code names for such
 * a reply, or because the message says that it is an error. No model wrote it.
 */
export function isSynthetic(message: MessageLike): boolean {
  const { response, model, isApiErrorMessage, type } = message as Loose;
  const named = response?.model ?? model;
  const isError = isApiErrorMessage === true || type === 'error';
  return originKind(message) === 'synthetic' || named === '<synthetic>' || isError;
}

/** A block of a user message that a person may have written or attached. */
export function isPersonBlock(block: BlockLike): boolean {
  if (block.type === 'tool_result') return false;
  if (block.type !== 'text') return true;
  const text = field(block, 'text');
  return typeof text === 'string' && isPersonText(text);
}

/** The mark that an agent leaves in a user message where the person interrupted it. */
export function isInterruption(block: BlockLike): boolean {
  return block.type === 'text' && INTERRUPTION.test(String(field(block, 'text')));
}

/** What ours says before a summary, in words that `isSummary` knows where a message has no origin. */
export const SUMMARY_OPENING = 'The conversation up to this point was replaced by a summary of it.';
/** What ours says before session notes that stand for a conversation. */
export const NOTES_OPENING =
  'The earlier part of this conversation has made way for the notes below, which were taken while it went on.';

/** Text of a user message, taken apart. */
export interface SplitText {
  /** What is left without the agent's parts. */
  readonly own: string;
  /** What the agent put in, with its tags, in order. */
  readonly injected: readonly string[];
}

/**
 * Separates what an agent put into a text of the user role (reminders, notices, output of hooks and of its own commands)
 * from the rest: blocks in tags that agents are known to use, wherever they stand, and at the beginning blocks in any tag
 * whose name has a `-` or `_`, unless it says that a person's words stand there (`<user_query>`). Linear in the text: each
 * character is read once, whatever the text repeats.
 */
export function splitInjected(text: string): SplitText {
  const injected: string[] = [];
  const own: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const [start, end] of leadingBlocks(text)) {
    own.push(text.slice(from, start));
    injected.push(text.slice(start, end));
    from = end;
  }
  for (const { 1: name = '', index } of text.matchAll(INJECTED_TAG)) {
    if (index < from || unclosed.has(name) || unclosed.size > MAX_UNCLOSED) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index);
    if (end === -1) {
      unclosed.add(name);
      continue;
    }
    own.push(text.slice(from, index));
    from = end + closing.length;
    injected.push(text.slice(index, from));
  }
  return { own: [...own, text.slice(from)].join(''), injected };
}

/** Where the blocks stand that a text begins with, and that no person wrote. */
function leadingBlocks(text: string): readonly (readonly [number, number])[] {
  const blocks: (readonly [number, number])[] = [];
  const opening = new RegExp(OPENING, 'y');
  for (;;) {
    const [found = '', space = '', file, name = file ?? ''] = opening.exec(text) ?? [];
    if (found === '' || WORDS_OF_PERSON.test(name)) return blocks;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, opening.lastIndex);
    if (end === -1) return blocks;
    const start = opening.lastIndex - found.length + space.length;
    opening.lastIndex = end + closing.length;
    blocks.push([start, opening.lastIndex]);
  }
}

interface Loose {
  readonly origin?: { readonly kind?: unknown };
  readonly response?: { readonly model?: unknown };
  readonly model?: unknown;
  readonly isApiErrorMessage?: unknown;
  readonly type?: unknown;
}

const originOf = (message: MessageLike) => (message as Loose).origin;

const originKind = (message: MessageLike): unknown => originOf(message)?.kind;

/** Only a text that begins as an agent's does is read beyond its first words. */
const isPersonText = (text: string): boolean =>
  !isBlank(MAY_BE_MACHINE.test(text) ? wordsBesideAgents(text) : text);

const wordsBesideAgents = (text: string): string =>
  INTERRUPTION.test(text) || isSummaryOpening(text) ? '' : splitInjected(text).own;

const isSummaryText = (block: BlockLike): boolean =>
  block.type === 'text' && isSummaryOpening(String(field(block, 'text')));

/** A person who only quotes the sentence has not written a summary. */
const isSummaryOpening = (text: string): boolean =>
  text.startsWith(`${SUMMARY_OPENING}\n\n<summary>\n`) || text.startsWith(NOTES_OPENING);

const MAY_BE_MACHINE = /^\s*(?:[<[#]|The (?:conversation up to|earlier part of))/;

// Claude Code and Codex
const INTERRUPTION = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/;

// Claude Code, its editors and hooks, Codex, Copilot CLI, Cline and Roo Code
const INJECTED_TAG =
  /<(system[-_](?:reminder|notification|warning)|current_datetime|environment_(?:context|details|info)|workspace_info|user_instructions|ide_\w{1,30}|new-diagnostics|(?:[a-z]{1,20}-){1,5}hook|local-command-\w{1,20}|command-(?:name|message)|(?:task|agent)-notification)(?:\s[^<>]{0,500})?>/g;

/** The first tag of a text that may be an agent's, `- ` or `_` in its name, or Codex' file of instructions. */
const OPENING =
  /(\s*)(?:# AGENTS\.md instructions for [^\n]{1,500}\s+<(INSTRUCTIONS)>|<([A-Za-z][A-Za-z\d]*(?:[-_][A-Za-z\d]+)+)(?:\s[^<>]{0,500})?>)/;

/** What a person said or typed stands in such a tag of an agent. */
const WORDS_OF_PERSON =
  /^(?!system|assistant|hook|tool|command-(?:name|message)$).*[-_](?:query|question|message|request|prompt|input|task|feedback|answer|reply|description|args|issue|comment|text|words)$/i;

/** Kinds of tags that were never closed; a text with more of them was made to cost time. */
const MAX_UNCLOSED = 50;
