import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import { type CallFacts, readCall } from './call-facts.ts';
import type { Candidate, Candidates, Protection } from './candidate.ts';
import type { Decision } from './decision-types.ts';
import { isInstructionCall } from './instruction-file.ts';
import { keptBy, type MicrocompactOptions } from './options.ts';
import { isCleared } from './placeholder.ts';
import { createToolRules, type ToolRules } from './tool-class.ts';

/** One result, and what the next plan would do with it. */
export interface ClearingRow {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly path?: string;
  /** Position among the messages. */
  readonly messageIndex: number;
  /** Of results that can be cleared. */
  readonly tokens?: number;
  readonly action: 'clear' | 'keep';
  /**
   * Why: the plan's reason when cleared, or when nothing holds the result but the trigger; else what keeps it. Kebab-case.
   */
  readonly reason:
    | Protection
    | 'protected-tool'
    | 'protected-path'
    | 'below-minimum'
    | 'cleared'
    | (string & {});
}

export interface ExplainContext {
  readonly options: MicrocompactOptions;
  readonly decision: Decision;
}

/** Rows for all results of a history, in its order. */
export function explainRows(
  messages: readonly Pick<Message, 'role' | 'content'>[],
  candidates: Candidates,
  { options, decision }: ExplainContext,
): readonly ClearingRow[] {
  const byBlock = new Map(candidates.list.map((candidate) => [candidate.block, candidate]));
  const reasonOf = createReasons(candidates, { options, decision });
  const rows: ClearingRow[] = [];
  let calls = new Map<string, CallFacts>();
  for (const [messageIndex, { role, content }] of messages.entries()) {
    if (role === 'assistant')
      calls = new Map(content.filter(isToolUse).map((call) => [call.id, readCall(call)]));
    for (const block of content) {
      const call = isToolResult(block) ? calls.get(block.tool_use_id) : undefined;
      if (!call || !isToolResult(block)) continue;
      const candidate = byBlock.get(block);
      rows.push({
        ...describe(block, call, candidate),
        messageIndex,
        ...reasonOf(block, call, candidate),
      });
    }
  }
  return rows;
}

function describe(block: ToolResultBlock, { toolName, path }: CallFacts, candidate?: Candidate) {
  return {
    toolUseId: block.tool_use_id,
    toolName,
    ...(path !== undefined && { path }),
    ...(candidate && { tokens: candidate.tokens }),
  };
}

type Reasons = (
  block: Block,
  call: CallFacts,
  candidate?: Candidate,
) => Pick<ClearingRow, 'action' | 'reason'>;

function createReasons(candidates: Candidates, { options, decision }: ExplainContext): Reasons {
  const clear = new Set(decision.clear);
  const tools = createToolRules(options.compactableTools);
  const { keepRecent, maxTokens } = keptBy(options);
  return (block, call, candidate) => {
    if (candidate && clear.has(candidate)) return { action: 'clear', reason: decision.reason };
    if (isCleared(block)) return { action: 'keep', reason: 'cleared' };
    if (!candidate) return { action: 'keep', reason: excludedBy(call, tools, options) };
    const held = candidates.protectionOf(candidate, keepRecent);
    const small = candidate.tokens <= maxTokens ? 'below-minimum' : undefined;
    return { action: 'keep', reason: held ?? small ?? decision.reason };
  };
}

function excludedBy(
  call: CallFacts,
  tools: ToolRules,
  { isProtected = isInstructionCall }: MicrocompactOptions,
): string {
  if (!tools.isCompactable(call.toolName)) return 'protected-tool';
  return isProtected(call) ? 'protected-path' : 'below-minimum';
}
