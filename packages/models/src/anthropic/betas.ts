import { listOf, recordOf } from '@varve/guards';
import type { JsonObject, Message } from '@varve/messages';

/** The betas of `params.betas`, and those that the parameters themselves need. */
export function betasOf(params: JsonObject): string[] {
  const given = listOf(params.betas).filter((beta): beta is string => typeof beta === 'string');
  return [...new Set([...given, ...neededBetas(params)])];
}

/**
 * The beta that a compaction block at the start of a conversation needs on every later request. A signed one was made on
 * demand.
 */
export function betasOfStart(messages: readonly Message[]): string[] {
  const first = messages[0]?.content[0];
  if (first?.type !== 'compaction') return [];
  const { signature } = recordOf(first);
  return [signature == null ? THRESHOLD_COMPACTION : ON_DEMAND_COMPACTION];
}

function neededBetas({ context_management: management, compaction }: JsonObject): string[] {
  const edits = listOf(recordOf(management).edits).map((edit) => recordOf(edit).type);
  return [
    ...(management == null ? [] : [CONTEXT_MANAGEMENT]),
    ...(edits.includes('compact_20260112') ? [THRESHOLD_COMPACTION] : []),
    ...(compaction == null ? [] : [ON_DEMAND_COMPACTION]),
  ];
}

/** Whether the beta methods have to be used: the others know neither betas nor these parameters. */
export function isBetaRequest(params: JsonObject): boolean {
  return betasOf(params).length > 0 || BETA_PARAMS.some((name) => params[name] != null);
}

// @anthropic-ai/sdk 1.14.0
const CONTEXT_MANAGEMENT = 'context-management-2025-06-27';
const THRESHOLD_COMPACTION = 'compact-2026-01-12';
const ON_DEMAND_COMPACTION = 'compact-2026-09-04';
const BETA_PARAMS = [
  'billing_policy',
  'compaction',
  'context_management',
  'fallback_credit_token',
  'fallbacks',
  'mcp_servers',
  'output_format',
  'thread',
];
