import { type Block, isThinking, type Message, type Request } from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';
import { type CacheMessage, type CacheRequest, createWithBlocks } from './cache-request.ts';
import { countTurns, thinkingToClear } from './clear-thinking.ts';
import { blocksToClear, toolPairs } from './clear-tool-uses.ts';
import { createCompactionFinder, indexOfCompaction } from './compaction-cut.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import {
  type ClearThinkingEdit,
  type ClearToolUsesEdit,
  readServerEdits,
  type ServerEdit,
} from './server-edits.ts';
import { createViewBuilder, type ViewChanges } from './server-view-builder.ts';

/** What a server reports about an edit it applied. */
export type AppliedEdit =
  | {
      readonly type: ClearToolUsesEdit['type'];
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: ClearThinkingEdit['type'];
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    };

export interface ServerView {
  /**
   * What is hashed and billed; the same reference where the server changes nothing and no
   * content is a plain text. Markers stay on their blocks.
   */
  readonly request: Request;
  /** As in `context_management.applied_edits` of a response. */
  readonly appliedEdits: readonly AppliedEdit[];
  /** Types of edits that need a model or are not known here: the view leaves them out. */
  readonly unsimulated: readonly string[];
}

export interface ServerViewOptions {
  readonly sizeOf: PromptSizes;
  /**
   * Turns whose thinking stays where a `clear_thinking` edit does not say; some models keep only the last.
   * @default 'all'
   */
  readonly keepThinkingTurns?: number | 'all' | undefined;
  /**
   * Whether the server drops the thinking of earlier turns without being asked.
   * @default false
   */
  readonly stripsOldThinking?: boolean | undefined;
}

/**
 * Renders the server's own view of requests with server-side edits: everything before the last compaction block is not
 * there; `clear_thinking` and `clear_tool_uses` take away what they say, in the order given. The view depends on the
 * request alone. Messages that the server leaves alone, or changes in the same way again, keep their reference.
 */
export function createServerView(
  options: ServerViewOptions,
): (request: CacheRequest) => ServerView {
  const { stripsOldThinking = false } = options;
  const build = createViewBuilder();
  const sharedWithLast = createSharedStart<CacheMessage>();
  let isRead = true;
  const lastCompaction = createCompactionFinder();
  const withBlocks = createWithBlocks();
  return (given) => {
    const known = sharedWithLast(given.messages);
    const shared = isRead ? known : 0;
    isRead = false; // until both have read it
    const request = withBlocks(given, shared);
    const start = lastCompaction(request.messages, shared);
    isRead = true;
    const { edits, unsimulated } = readServerEdits(request);
    if (start === undefined && edits.length === 0 && !stripsOldThinking) {
      return { request, appliedEdits: [], unsimulated };
    }
    const context = { request, changes: cutAt(request.messages, start), ...options };
    if (stripsOldThinking) removeThinking(1, context);
    const appliedEdits = edits.flatMap((edit) => apply(edit, context));
    return { request: build(request, context.changes), appliedEdits, unsimulated };
  };
}

interface EditContext extends ServerViewOptions {
  readonly request: Request;
  readonly changes: ViewChanges;
}

function cutAt(messages: readonly Message[], start: number | undefined): ViewChanges {
  const changes: ViewChanges = { start: start ?? 0, removed: new Map(), replaced: new Map() };
  if (start === undefined) return changes;
  const count = indexOfCompaction(messages[start] as Message);
  if (count > 0) {
    changes.removed.set(
      start,
      Array.from({ length: count }, (_, index) => index),
    );
  }
  return changes;
}

function apply(edit: ServerEdit, context: EditContext): AppliedEdit[] {
  if (edit.type === 'clear_tool_uses_20250919') return clearToolUses(edit, context);
  const keep = edit.keepTurns ?? context.keepThinkingTurns ?? 'all';
  if (keep === 'all') return [];
  const { turns, tokens } = removeThinking(keep, context);
  if (turns === 0) return [];
  return [{ type: edit.type, cleared_thinking_turns: turns, cleared_input_tokens: tokens }];
}

function removeThinking(keepTurns: number, { request, changes, sizeOf }: EditContext) {
  const messages = request.messages.slice(changes.start);
  const cleared = thinkingToClear(messages, keepTurns).filter(
    (index) => !changes.removed.has(index + changes.start) || index === 0,
  );
  let tokens = 0;
  for (const index of cleared) {
    const at = index + changes.start;
    const gone = changes.removed.get(at) ?? [];
    (messages[index] as Message).content.forEach((block, blockIndex) => {
      if (!isThinking(block) || gone.includes(blockIndex)) return;
      gone.push(blockIndex);
      tokens += sizeOf.block(block);
    });
    changes.removed.set(at, gone);
  }
  return { turns: countTurns(messages, cleared), tokens: Math.round(tokens) };
}

function clearToolUses(edit: ClearToolUsesEdit, context: EditContext): AppliedEdit[] {
  const { request, changes, sizeOf } = context;
  const pairs = toolPairs(request.messages).filter(
    ({ use }) => use.messageIndex >= changes.start && !isRemoved(use, changes),
  );
  const measured = edit.trigger.type === 'tool_uses' ? pairs.length : tokensOf(context);
  if (measured <= edit.trigger.value) return [];
  const cleared = blocksToClear(pairs, edit);
  const tokens = cleared.reduce(
    (sum, { block, replacement }) => sum + sizeOf.block(block) - sizeOf.block(replacement),
    0,
  );
  if (cleared.length === 0 || tokens < edit.clearAtLeastTokens) return [];
  for (const { messageIndex, blockIndex, replacement } of cleared) {
    const blocks = changes.replaced.get(messageIndex) ?? new Map<number, Block>();
    changes.replaced.set(messageIndex, blocks.set(blockIndex, replacement));
  }
  const results = cleared.filter(({ block }) => block.type === 'tool_result').length;
  return [
    { type: edit.type, cleared_tool_uses: results, cleared_input_tokens: Math.round(tokens) },
  ];
}

type Place = { readonly messageIndex: number; readonly blockIndex: number };

function isRemoved({ messageIndex, blockIndex }: Place, changes: ViewChanges): boolean {
  return changes.removed.get(messageIndex)?.includes(blockIndex) ?? false;
}

/** Tokens of the prompt as the edits before have left it. */
function tokensOf({ request, changes, sizeOf }: EditContext): number {
  const { messages } = request;
  let tokens = sizeOf.head(request.head);
  for (let index = changes.start; index < messages.length; index++) {
    tokens += sizeOf.message(messages[index] as Message);
  }
  for (const [index, gone] of changes.removed) {
    for (const at of gone) tokens -= sizeOf.block(messages[index]?.content[at] as Block);
  }
  return tokens;
}
