import type {
  Block,
  Edit,
  Entry,
  Message,
  ToolResultBlock,
  View,
  ViewMessage,
} from '@varve/messages';
import { checkMessages } from '@varve/messages/foreign';
import { broughtMessages, logOf } from '@varve/messages/log';
import { isSynthetic } from '@varve/messages/persons';
import { storedHandle } from '@varve/messages/stored';
import { createModelEstimators } from '@varve/tokens/models';
import type { CallFacts } from './call-facts.ts';
import type { Candidate, Candidates } from './candidate.ts';
import { lastUseAt } from './fold-calls.ts';
import { largeTokensOf } from './fold-candidate.ts';
import { addMessage, type Fold } from './fold-message.ts';
import { replaceBlocks } from './fold-replace.ts';
import {
  createLogMemory,
  createViewState,
  type FoldRules,
  type LogMemory,
  placeKey,
} from './fold-state.ts';
import { isInstructionCall } from './instruction-file.ts';
import { createNeeds } from './need/needs.ts';
import { clearedResult } from './placeholder.ts';
import { protectionOf } from './protection.ts';
import { type CompactableTools, createToolRules } from './tool-class.ts';

/** What may become a candidate. Sizes in tokens. */
export interface CandidateOptions {
  /**
   * Names of the tools whose results may be cleared, or a function that is given the default and returns them
   * (`(usual) => [...usual, 'my_database']`). Case and punctuation do not count. MCP tools never are.
   * @default tools that read, search, list, run a shell, fetch from the web, edit and write, as well-known agents call them
   */
  readonly compactableTools?: CompactableTools | undefined;
  /**
   * Calls whose results stay for good.
   * @default reads of memory and instruction files, in a shell too
   */
  readonly isProtected?: ((call: CallFacts) => boolean) | undefined;
  /**
   * Smaller results are no candidates.
   * @default 0
   */
  readonly minTokens?: number | undefined;
  /**
   * Inputs of clearable tools from this size on are candidates too.
   * @default Infinity; 200 for a planner that clears by rent alone
   */
  readonly inputTokens?: number | undefined;
  /**
   * Thinking is a candidate too, where something else stands in its message.
   * @default false; true for a planner that clears by rent alone
   */
  readonly thinking?: boolean | undefined;
  /**
   * What `Candidates.largeTokens` counts as large.
   * @default 1000
   */
  readonly largeTokens?: number | undefined;
  /**
   * For how many requests after an edit a file counts as still edited: its last read and edit stay.
   * @default 10; 4 for a planner that clears by rent alone
   */
  readonly editingRequests?: number | undefined;
  /** The model whose vocabulary sizes are estimated in. @default that of the log's head; else as `o200k` */
  readonly model?: string | undefined;
  /** Tokens of a block. @default the estimate of `@varve/tokens` for the model */
  readonly sizeOf?: ((block: Block) => number) | undefined;
  /** Whether it is followed what later messages say of a candidate: `Candidates.needs`. @default false */
  readonly needs?: boolean | undefined;
  /** Where a result is stored whole. @default what a stored result's text says (`storedHandle` of `@varve/messages/stored`) */
  readonly handleOf?: ((block: ToolResultBlock) => string | undefined) | undefined;
}

/**
 * Keeps the candidates of a growing log. What is new is read when it is asked for, or before the next edit; it costs what is
 * new, and `replace-content` what it replaces, a copy of the list of candidates aside. Other edits look at the view once
 * more, without reading content again.
 */
export interface CandidateFold extends Candidates {
  /** Takes the next entry and the view after it, as the projection gave it: a copy of a view knows nothing of its log. */
  observe(entry: Entry, view: View): void;
  /** The first of `list`; what is new is read only where there is none yet. */
  oldest(): Candidate | undefined;
}

/** A fold of an empty log. */
export function createCandidateFold(options: CandidateOptions = {}): CandidateFold {
  const noLog = logOf({ messages: [], changedFrom: 0 });
  let fold = emptyFold(options, noLog);
  let messages: View['messages'] = [];
  let model: string | undefined;
  /** The messages that are not in `fold` yet: up to which they were sized, and what they can add to `largeTokens`. */
  let unread = { sized: 0, largeTokens: 0 };
  const needs = options.needs ? createNeeds(fold.rules, () => momentOf(fold)) : undefined;

  function readNew(): Fold {
    if (fold.state.messages >= messages.length) return fold;
    try {
      addMessages(fold, messages);
    } catch (error) {
      forgetView(); // half a message is in it
      throw error;
    }
    unread = { sized: messages.length, largeTokens: 0 };
    return fold;
  }

  function forgetView(): void {
    fold = { ...fold, state: createViewState() };
    unread = { sized: 0, largeTokens: 0 };
  }

  function largeTokensAtMost(): number {
    for (; unread.sized < messages.length; unread.sized++) {
      const { content } = messages[unread.sized] as ViewMessage;
      for (const block of content) unread.largeTokens += largeTokensOf(fold.rules, block);
    }
    return fold.state.largeTokens + unread.largeTokens;
  }

  function takeModel(next: string | undefined): void {
    if (next === model) return;
    model = next;
    const sizes = sizesFor(options, model);
    if (sizes.sizeOf === fold.rules.sizeOf) return;
    fold = { ...fold, rules: { ...fold.rules, ...sizes } };
    forgetView();
  }

  const source = { read: readNew, memory: () => fold.memory, largeTokensAtMost, needs };
  return Object.assign(readerOf(source), {
    observe(entry: Entry, view: View): void {
      if (entry.type === 'edit') readNew();
      if (entry.type === 'message' && isReply(entry.message)) needs?.sent(readNew().state.list);
      const index = logOf(view);
      fold.memory.index = index;
      noteEntry(fold.memory, entry);
      if (needs)
        for (const message of broughtMessages(entry)) needs.add(message, fold.memory.requests);
      messages = view.messages;
      takeModel(view.head?.model);
      if (entry.type === 'edit' && !followEdit(fold, entry.edit)) forgetView();
      // what was logged unseen counts as logged now
      if (entry.type === 'edit' || fold.state.messages === 0 || index === noLog) readNew();
    },
    oldest: () => fold.state.list[0] ?? readNew().state.list[0],
  });
}

/** The candidates of a history without a log: every assistant message counts as one request. */
export function candidatesOf(
  messages: readonly Message[],
  options: CandidateOptions = {},
): Candidates {
  checkMessages(messages, 'messages');
  const byId = new Map(messages.map((message) => [message.id, message]));
  const fold = emptyFold(options, {
    logged: (id) => byId.get(id),
    broughtBy: (entryId) => ({ entryId, as: 'message' }),
  });
  const { memory, state } = fold;
  const needs = options.needs ? createNeeds(fold.rules, () => momentOf(fold)) : undefined;
  for (const message of messages) {
    if (isReply(message)) needs?.sent(state.list);
    noteMessage(memory, message.id, message);
    addMessage(fold, { ...message, sources: [message.id] });
    needs?.add(message, memory.requests);
  }
  return readerOf({
    read: () => fold,
    memory: () => memory,
    largeTokensAtMost: () => state.largeTokens,
    needs,
  });
}

function emptyFold(options: CandidateOptions, index: LogMemory['index']): Fold {
  return { rules: rulesOf(options), memory: createLogMemory(index), state: createViewState() };
}

// Its memory is that of a pure function: dropping it changes nothing but time.
const estimatorOf = createModelEstimators();

function sizesFor(
  { model, sizeOf }: CandidateOptions,
  headModel?: string,
): Pick<FoldRules, 'sizeOf' | 'clearedTokens'> {
  if (sizeOf !== undefined) return { sizeOf, clearedTokens: undefined };
  const { block } = estimatorOf(model ?? headModel);
  return { sizeOf: block, clearedTokens: block(A_CLEARED_RESULT) };
}

const A_CLEARED_RESULT = clearedResult({ type: 'tool_result', tool_use_id: '' });

function rulesOf(options: CandidateOptions): FoldRules {
  const { compactableTools, minTokens = 0, inputTokens = Infinity, thinking = false } = options;
  const { largeTokens = 1_000, editingRequests = 10, handleOf = storedHandle } = options;
  const { isProtected = isInstructionCall } = options;
  return {
    tools: createToolRules(compactableTools),
    ...sizesFor(options),
    handleOf,
    isProtected,
    minTokens,
    inputTokens,
    thinking,
    largeTokens,
    editingRequests,
  };
}

function noteEntry(memory: LogMemory, entry: Entry): void {
  if (entry.type === 'message') noteMessage(memory, entry.id, entry.message, entry.at);
  if (entry.type !== 'edit') return;
  memory.requestAt.set(entry.id, memory.requests);
  if (entry.edit.kind !== 'replace-content') return;
  for (const { messageId, index } of entry.edit.blocks) {
    memory.replacedAt.set(placeKey(messageId, index), memory.requests);
  }
}

/** A reply that a model wrote answers a request. */
const isReply = (message: Message): boolean =>
  message.role === 'assistant' && !isSynthetic(message);

const momentOf = ({ memory, state }: Fold) => ({
  requests: memory.requests,
  turnOrder: state.turnOrder,
});

function noteMessage(memory: LogMemory, entryId: string, message: Message, at?: string): void {
  if (isReply(message)) {
    memory.requests++;
    const time = Date.parse(message.createdAt ?? at ?? '');
    if (!Number.isNaN(time)) memory.lastAssistantAtMs = time;
  }
  memory.requestAt.set(entryId, memory.requests);
}

/** Whether the state follows the edit without looking at the view again. */
function followEdit(fold: Fold, edit: Edit): boolean {
  if (edit.kind === 'server') return true;
  // A span can change which logged messages stand behind the same bytes.
  return edit.kind === 'replace-content' && replaceBlocks(fold, edit.blocks);
}

function addMessages(fold: Fold, messages: readonly ViewMessage[]): void {
  for (let index = fold.state.messages; index < messages.length; index++) {
    addMessage(fold, messages[index] as ViewMessage);
  }
}

interface FoldSource {
  /** The fold with all messages in it. */
  readonly read: () => Fold;
  readonly memory: () => LogMemory;
  readonly largeTokensAtMost: () => number;
  readonly needs: Candidates['needs'];
}

/** Reads whatever the fold holds now; what follows from the log alone needs no look at the view. */
function readerOf({ read, memory, largeTokensAtMost, needs }: FoldSource): Candidates {
  return {
    get list() {
      return read().state.list;
    },
    get requests() {
      return memory().requests;
    },
    get round() {
      return read().state.round;
    },
    get results() {
      return read().state.results;
    },
    get turnOrder() {
      return read().state.turnOrder;
    },
    get tailTokens() {
      return read().state.tailTokens;
    },
    get totalTokens() {
      return read().state.totalTokens;
    },
    get largeTokens() {
      return read().state.largeTokens;
    },
    get largeTokensAtMost() {
      return largeTokensAtMost();
    },
    get lastAssistantAtMs() {
      return memory().lastAssistantAtMs;
    },
    get thinking() {
      return read().state.thinking;
    },
    needs,
    protectionOf: (candidate, keepRecent) => protectionOf(read(), candidate, keepRecent),
    lastUseAt: (candidate) => lastUseAt(read().state, candidate),
    isSuperseded: ({ callKey, order }) =>
      callKey !== undefined && read().state.newestOrder.get(callKey) !== order,
  };
}
