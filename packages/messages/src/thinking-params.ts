import { isRecord, listOf, recordOf } from '@varve/guards';
import type { Json, JsonObject } from './types.ts';

/** The least thinking budget that Anthropic's API takes, in tokens (platform.claude.com, "Extended thinking"). */
export const LEAST_THINKING_TOKENS = 1_024;

/** Whether a model thinks whatever it is told (platform.claude.com, "Preserved thinking", read in September 2026). */
const alwaysThinks = (model: string): boolean => ALWAYS_THINKS.test(model);

const ALWAYS_THINKS = /claude-(?:fable|mythos)-|claude-opus-5[-.]5/;

/** Whether parameters have a model think; without a setting only those do that cannot be told not to. */
export function isThinkingOn({ thinking }: JsonObject, model: string): boolean {
  const { type } = recordOf(thinking);
  return type === undefined ? alwaysThinks(model) : type !== 'disabled';
}

/**
 * Parameters whose `context_management` the provider takes: thinking is cleared where there is any, and first. The same object
 * where nothing has to change.
 */
export function withLegalEdits(
  params: JsonObject,
  { isThinking }: { readonly isThinking: boolean },
): JsonObject {
  const { context_management: management, ...others } = params;
  const { edits } = recordOf(management) as { readonly edits?: Json };
  if (!Array.isArray(edits)) return params;
  const clearing = edits.filter(clearsThinking);
  const rest = edits.filter((edit) => !clearsThinking(edit));
  const legal = isThinking ? [...clearing.slice(0, 1), ...rest] : rest;
  const isSame = legal.length === edits.length && legal.every((edit, at) => edit === edits[at]);
  if (isSame) return params;
  return legal.length === 0
    ? others
    : { ...others, context_management: { ...recordOf(management), edits: legal } as JsonObject };
}

const clearsThinking = (edit: unknown): boolean =>
  isRecord(edit) && String(edit.type).startsWith('clear_thinking');

/** What is wrong with parameters by Anthropic's rules: each names the parameter, says what it has to be, and what it is. */
export interface ParamFault {
  readonly code: 'thinking-budget' | 'thinking-sampling' | 'context-edits';
  readonly param: string;
  readonly what: string;
  readonly value: unknown;
}

/**
 * What a provider refuses of the parameters of a head, and of those of server-side edits, which take the place of the same ones of
 * the head.
 */
export function paramFaults(
  params: JsonObject,
  { model, server = {} }: { readonly model: string; readonly server?: JsonObject | undefined },
): readonly ParamFault[] {
  const faults: ParamFault[] = [];
  const { type, budget_tokens: budget } = recordOf(params.thinking);
  const isShort = typeof budget === 'number' && budget < LEAST_THINKING_TOKENS;
  if (isShort || (type === 'enabled' && typeof budget !== 'number')) {
    const param = 'thinking.budget_tokens';
    faults.push({ code: 'thinking-budget', param, what: A_BUDGET, value: budget });
  }
  const asks = type !== undefined && type !== 'disabled';
  const { temperature, top_k, top_p } = params;
  if (asks && temperature !== undefined && temperature !== null && temperature !== 1) {
    faults.push({
      code: 'thinking-sampling',
      param: 'temperature',
      what: '1, or left out, beside thinking',
      value: temperature,
    });
  }
  if (asks && top_k !== undefined && top_k !== null) {
    faults.push({
      code: 'thinking-sampling',
      param: 'top_k',
      what: 'left out beside thinking',
      value: top_k,
    });
  }
  if (asks && typeof top_p === 'number' && (top_p < LEAST_TOP_P || top_p > 1)) {
    faults.push({
      code: 'thinking-sampling',
      param: 'top_p',
      what: `from ${LEAST_TOP_P} to 1 beside thinking`,
      value: top_p,
    });
  }
  const { context_management: management } = { ...params, ...server };
  const isThinking = isThinkingOn(params, model);
  for (const [at, edit] of listOf(recordOf(management).edits).entries()) {
    if (!clearsThinking(edit) || (isThinking && at === 0)) continue;
    faults.push({
      code: 'context-edits',
      param: `context_management.edits[${at}]`,
      what: isThinking ? 'before every other edit' : 'left out where the model does not think',
      value: recordOf(edit).type,
    });
  }
  return faults;
}

const A_BUDGET = `at least ${LEAST_THINKING_TOKENS} tokens`;
/** platform.claude.com, "Extended thinking", feature compatibility. */
const LEAST_TOP_P = 0.95;
