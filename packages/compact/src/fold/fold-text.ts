import { findingsIn } from '@varve/ledger';
import {
  type Block,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewMessage,
} from '@varve/messages';
import { storedHandle } from '@varve/messages/stored';
import { cutText } from '@varve/messages/text';
import { callSubject, inputTexts, readCall, type ToolCall } from '@varve/messages/tools';
import { isPersonsAnswer } from '../persons-answer.ts';

type SizeOf = (message: Message) => number;

export interface FoldTextOptions {
  /** A message as it was logged. */
  readonly logged: (messageId: string) => Message | undefined;
  /** Where a result is stored whole. */
  readonly handleOf: (block: ToolResultBlock) => string | undefined;
}

/** Stands above the lines. */
export const FOLD_LEAD =
  '[Earlier calls, one line each. Their results are gone: call again for what is needed.]';

/** A call or a result of this size is large: what clears results deals with it. */
const LARGE_TOKENS = 200;

export interface FoldCheck extends Pick<FoldTextOptions, 'logged'> {
  /** Tokens of a message. */
  readonly sizeOf: SizeOf;
}

/**
 * Whether a message can go: words of the model, small calls that can be made again, and their results. What a person answered
 * in place of a result stays, as it stood in the log.
 */
export function canFold(
  { sources, role, content }: ViewMessage,
  { logged, sizeOf }: FoldCheck,
): boolean {
  const isFoldable = content.every((block) => {
    if (isText(block)) return role === 'assistant';
    if (isToolUse(block)) return isRepeatable(readCall(block)) && isSmall(block, sizeOf);
    return isToolResult(block) && isPlain(block.content) && isSmall(block, sizeOf);
  });
  const asLogged = () => sources.flatMap((id) => logged(id)?.content ?? []);
  return isFoldable && ![...content, ...asLogged()].some(isPersonsAnswer);
}

const isSmall = (block: Block, sizeOf: SizeOf): boolean =>
  sizeOf({ id: '', role: 'user', content: [block] }) < LARGE_TOKENS;

/** No picture, nothing else that is no text. */
const isPlain = (content: unknown): boolean =>
  content === undefined ||
  typeof content === 'string' ||
  (Array.isArray(content) && content.every((part) => part?.type === 'text'));

/** Calling again brings its result, or the result says no more than that it was done. What a document says guides what comes later. */
function isRepeatable(call: ToolCall): boolean {
  if (!REPEATABLE.has(call.kind)) return false;
  return !(call.kind === 'read' && call.paths.some((path) => DOCUMENT.test(path)));
}

const FILE_KINDS = ['read', 'edit', 'write', 'patch'] as const;
const REPEATABLE: ReadonlySet<ToolCall['kind']> = new Set<ToolCall['kind']>([
  ...FILE_KINDS,
  'search',
  'list',
  'web',
  'shell',
  'shell-output',
]);
const DOCUMENT = /\.md$/i;

/** A line for each call of some messages, and what was said before it: findings word for word, of anything else the beginning. */
export function foldText(messages: readonly ViewMessage[], options: FoldTextOptions): string {
  const marks = new Map(messages.flatMap((message) => marksOf(message, options)));
  const lines = messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (isText(block)) return wordsOf(block.text);
      return isToolUse(block) ? [`${lineOf(block)}${marks.get(block.id) ?? ''}`] : [];
    }),
  );
  return lines.join('\n');
}

/** Behind the line of a call: that it failed, and where its output is stored. */
function marksOf(
  { sources, content }: ViewMessage,
  { logged, handleOf }: FoldTextOptions,
): (readonly [string, string])[] {
  const results = content.filter(isToolResult);
  if (results.length === 0) return [];
  const originals = sources.flatMap((id) => logged(id)?.content ?? []).filter(isToolResult);
  return results.map((shown) => {
    const id = shown.tool_use_id;
    const original = originals.find((block) => block.tool_use_id === id);
    const isWhole = original === undefined || original.content === shown.content;
    const handle = isWhole ? storedHandle(shown) : handleOf(original);
    const failed = shown.is_error === true ? ' (failed)' : '';
    return [id, `${failed}${handle === undefined ? '' : ` (stored as ${handle})`}`];
  });
}

/** UTF-16 units of what a call is about, and of the path of a file. */
const SUBJECT_UNITS = 90;
const PATH_UNITS = 300;
/** The part of words that say little that stays. */
const WORDS_SHARE = 0.1;

function lineOf(block: ToolUseBlock): string {
  const call = readCall(block);
  const isAboutFile = FILE_KINDS.some((kind) => kind === call.kind);
  const isSearch = call.kind === 'search' || call.kind === 'list';
  const subject = (isSearch ? '' : callSubject(call)) || inputTexts(block.input).join(' ');
  const shown = cutText(oneLine(subject), isAboutFile ? PATH_UNITS : SUBJECT_UNITS);
  return `${block.name} ${shown}`.trimEnd();
}

function wordsOf(text: string): readonly string[] {
  const words = findingsIn(text) || cutText(oneLine(text), Math.ceil(text.length * WORDS_SHARE));
  return words === '' ? [] : [`- ${words}`];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
