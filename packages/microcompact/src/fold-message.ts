import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewMessage,
} from '@varve/messages';
import { isThought } from '@varve/messages/blocks';
import { personBlocks } from '@varve/messages/persons';
import { rateCall, readCall } from './call-facts.ts';
import { noteCall, noteResult } from './fold-calls.ts';
import { describeBlock, pushCandidate } from './fold-candidate.ts';
import { type FoldRules, type LogMemory, placeKey, type ViewState } from './fold-state.ts';

/** A block of the view, with the logged block it stands for. */
export interface Place {
  readonly messageId: string;
  readonly index: number;
  readonly block: Block;
  readonly logged: Block;
}

export interface Fold {
  readonly rules: FoldRules;
  readonly memory: LogMemory;
  readonly state: ViewState;
}

/** Takes the next message of the view. */
export function addMessage(fold: Fold, message: ViewMessage): void {
  const { state, memory } = fold;
  for (const id of message.sources) state.visible.add(id);
  const bringer = memory.index.broughtBy(message.sources[0] ?? '');
  const request = memory.requestAt.get(bringer?.entryId ?? '') ?? memory.requests;
  if (message.role === 'assistant') {
    state.calls = new Map();
    if (message.content.some(isToolUse)) state.round++;
    state.spoken = false;
  }
  const alone = message.content.every(isThought);
  const said = new Set<unknown>(state.spoken ? [] : personBlocks(message));
  for (const place of placesOf(message, memory)) {
    if (said.has(place.block)) startTurn(state);
    addBlock(fold, place, { request, alone });
  }
  state.messages++;
}

/** The first that a person says behind a reply starts a turn, beside results too. */
function startTurn(state: ViewState): void {
  if (!state.spoken) state.turnOrder = state.order;
  state.spoken = true;
}

interface BlockContext {
  readonly request: number;
  readonly alone: boolean;
}

function addBlock(fold: Fold, place: Place, { request, alone }: BlockContext): void {
  const { state, rules } = fold;
  const { block, logged } = place;
  const order = state.order++;
  if (isToolUse(block)) addCall(fold, place, { request, order });
  else if (isToolResult(block) && isToolResult(logged)) addResult(fold, place, { request, order });
  else if (isThought(block)) {
    const tokens = rules.sizeOf(block);
    const { messageId, index } = place;
    const { turnOrder: turn, messages: messageIndex } = state;
    state.thinking.push({ messageId, index, order, messageIndex, turn, tokens, alone });
    pushCandidate(fold, describeBlock(fold, { ...place, request, order, alone }), tokens);
  } else pushCandidate(fold, undefined, rules.sizeOf(block));
}

interface Added {
  readonly request: number;
  readonly order: number;
}

function addCall(fold: Fold, place: Place, { request, order }: Added): void {
  const facts = rateCall(readCall(place.logged as ToolUseBlock), fold.rules);
  const block = place.block as ToolUseBlock;
  fold.state.calls.set(block.id, facts);
  noteCall(fold.state, facts, { request, order });
  const candidate = describeBlock(fold, { ...place, request, order, facts });
  pushCandidate(fold, candidate, fold.rules.sizeOf(block));
}

function addResult(fold: Fold, place: Place, { request, order }: Added): void {
  const { state, rules } = fold;
  const block = place.block as ToolResultBlock;
  const facts = state.calls.get(block.tool_use_id);
  const candidate = facts && describeBlock(fold, { ...place, request, order, facts });
  pushCandidate(fold, candidate, rules.sizeOf(block));
  if (!facts) return;
  if (facts.clearable) state.results++;
  const replacedAt = fold.memory.replacedAt.get(placeKey(place.messageId, place.index));
  noteResult(state, facts, { block, order, candidate, clearedAt: replacedAt ?? request });
}

/** The blocks of a view message in its order, each with where the log holds it; none where that is not known. */
function placesOf(message: ViewMessage, { index: log }: LogMemory): Iterable<Place> {
  const members = message.sources.map((id) => log.logged(id));
  const [only] = members;
  if (members.length === 1 && only?.content === message.content) {
    return only.content.map((block, index) => ({
      messageId: only.id,
      index,
      block,
      logged: block,
    }));
  }
  const known = members.filter((member) => member !== undefined);
  return matchPlaces(message.content, known);
}

function matchPlaces(content: readonly Block[], members: readonly Message[]): Place[] {
  const byBlock = new Map<unknown, Omit<Place, 'block'>>();
  for (const { id: messageId, content: blocks } of members) {
    for (const [index, logged] of blocks.entries()) {
      byBlock.set(logged, { messageId, index, logged });
      const id = pairId(logged);
      if (id !== undefined) byBlock.set(id, { messageId, index, logged });
    }
  }
  return content.map((block) => {
    const found = byBlock.get(block) ?? byBlock.get(pairId(block));
    return { ...(found ?? { ...NOWHERE, logged: block }), block };
  });
}

/** Of a block that takes a logged one's place under an id of its own: it counts, and is never a candidate. */
export const NOWHERE = { messageId: '', index: -1 } as const;

function pairId(block: Block): string | undefined {
  if (isToolUse(block)) return `use ${block.id}`;
  return isToolResult(block) ? `result ${block.tool_use_id}` : undefined;
}
