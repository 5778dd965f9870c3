import {
  type Block,
  isToolResult,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@varve/messages';
import { isThought } from '@varve/messages/blocks';
import type { RatedCall } from './call-facts.ts';
import type { Candidate } from './candidate.ts';
import type { Fold, Place } from './fold-message.ts';
import { type FoldRules, type Live, placeKey } from './fold-state.ts';
import { clearedInput, clearedResult, isCleared } from './placeholder.ts';

export interface BlockAdded extends Place {
  readonly request: number;
  readonly order: number;
  readonly facts?: RatedCall;
  /** Of thinking: nothing else stands in its message. */
  readonly alone?: boolean;
}

/** The candidate a block makes; undefined when there is nothing to clear in it. */
export function describeBlock(fold: Fold, added: BlockAdded): Live | undefined {
  const { rules, state } = fold;
  const { messageId, index, block, request, order, facts } = added;
  if (index < 0) return undefined;
  const sizes = sizesOf(rules, added);
  if (!sizes) return undefined;
  return {
    messageId,
    index,
    block,
    order,
    messageIndex: state.messages,
    ordinal: ordinalOf(fold, added),
    round: state.round,
    turn: state.turnOrder,
    ...callFields(block, facts),
    ...sizes,
    addedAt: request,
    isError: block.is_error === true,
    unacted: block.is_error === true,
    gapTokens: 0,
  };
}

/** The result of a call comes after the clearable results of the calls before it. */
function ordinalOf({ state }: Fold, { block, facts }: BlockAdded): number {
  if (!isToolUse(block) || !facts) return state.results;
  let before = 0;
  for (const [id, other] of state.calls) {
    if (id === block.id) break;
    if (other.clearable) before++;
  }
  return state.results + before;
}

type Sizes = Pick<Candidate, 'kind' | 'tokens' | 'clearedTokens' | 'handle'>;

/** What the block and what takes its place weigh; undefined when it stays. */
export function sizesOf(
  rules: FoldRules,
  added: Omit<BlockAdded, 'logged' | 'request' | 'order'>,
): Sizes | undefined {
  const { block, facts, alone = true } = added;
  const tokens = rules.sizeOf(block);
  if (!facts) {
    const drops = rules.thinking && !alone && tokens > 0;
    return drops ? { kind: 'thinking', tokens, clearedTokens: 0 } : undefined;
  }
  if (!facts.clearable) return undefined;
  const smaller = isToolResult(block) ? resultSizes(rules, block) : inputSizes(rules, block);
  return smaller && smaller.clearedTokens < smaller.tokens ? smaller : undefined;
}

function resultSizes(rules: FoldRules, block: ToolResultBlock): Sizes | undefined {
  const tokens = rules.sizeOf(block);
  if (tokens < rules.minTokens || isCleared(block)) return undefined;
  const handle = rules.handleOf(block);
  const known = handle === undefined ? rules.clearedTokens : undefined;
  const clearedTokens = known ?? rules.sizeOf(clearedResult(block, handle));
  return { kind: 'result', tokens, clearedTokens, ...(handle !== undefined && { handle }) };
}

function inputSizes(rules: FoldRules, block: Block): Sizes | undefined {
  const tokens = rules.sizeOf(block);
  if (tokens < rules.inputTokens) return undefined;
  const clearedTokens = rules.sizeOf(clearedInput(block as ToolUseBlock));
  return { kind: 'input', tokens, clearedTokens };
}

/** What a block adds to `largeTokens` if it makes a candidate. */
export function largeTokensOf(rules: FoldRules, block: Block): number {
  const isWanted =
    isToolResult(block) ||
    (isToolUse(block) && rules.inputTokens < Infinity) ||
    (rules.thinking && isThought(block));
  const tokens = isWanted ? rules.sizeOf(block) : 0;
  return tokens > rules.largeTokens ? tokens : 0;
}

/** Whether nothing is left to clear in a call. */
export function makesNoInputCandidate(rules: FoldRules, block: Block): boolean {
  const sizes = inputSizes(rules, block);
  return !sizes || sizes.clearedTokens >= sizes.tokens;
}

function callFields(block: Block, facts: RatedCall | undefined) {
  const toolUseId = isToolUse(block) ? block.id : isToolResult(block) ? block.tool_use_id : '';
  if (!facts)
    return { toolUseId, toolName: '', toolClass: 'other', use: 'other', names: [] } as const;
  const { toolName, toolClass, use, path, names, key } = facts;
  return {
    toolUseId,
    toolName,
    toolClass,
    use,
    names,
    ...(path !== undefined && { path }),
    ...(key !== undefined && { callKey: key }),
  };
}

/** Adds a candidate at the end of the list, or tokens to what stands after the last one. */
export function pushCandidate(
  { state, rules }: Fold,
  candidate: Live | undefined,
  tokens: number,
): void {
  state.totalTokens += tokens;
  if (!candidate) {
    state.tailTokens += tokens;
    return;
  }
  candidate.gapTokens = state.tailTokens;
  state.tailTokens = 0;
  if (candidate.tokens > rules.largeTokens) state.largeTokens += candidate.tokens;
  state.list.push(candidate);
  state.byPlace.set(placeKey(candidate.messageId, candidate.index), candidate);
}
