import { isRecord } from '@varve/guards';
import type { Json, JsonObject, Request } from '@varve/messages';
import { isThinkingOn, LEAST_THINKING_TOKENS, withLegalEdits } from '@varve/messages/thinking';

export interface FitCallOptions {
  /**
   * `text`: the answer is read as text, so parameters that force anything else (a tool call, a schema, an end at a given
   * word) go. `turn`: the call is a turn like any other, and they stay.
   */
  readonly answer: 'text' | 'turn';
  /** Tokens that the answer may have beside its thinking. */
  readonly answerTokens: number;
  /** The most output that may be asked for, thinking included, in tokens. @default no limit */
  readonly mostTokens?: number | undefined;
  /** An answer with less room is not worth the call: thinking gives way first, in tokens. @default 1,024 */
  readonly leastAnswerTokens?: number | undefined;
}

/**
 * A request that was derived from a conversation's own, so that the provider takes it: its output holds the thinking budget
 * and the answer. Where both do not fit, the budget shrinks, and below the least that a provider takes, thinking is left out
 * and its clearing with it. Head and server parameters are the same objects where nothing in them has to change.
 */
export function fitCall(request: Request, options: FitCallOptions): Request {
  const { answer, answerTokens, mostTokens = Number.POSITIVE_INFINITY } = options;
  const { head, server } = request;
  const legal = withLegalSwitch(head.params, head.model);
  const asked = answer === 'text' ? withoutForced(legal) : legal;
  const { params, maxOutputTokens } = fitThinking(asked, { ...options, answerTokens, mostTokens });
  const isThinking = isThinkingOn(params, head.model);
  const finalParams = withLegalEdits(params, { isThinking });
  const legalServer = server && withLegalEdits(server, { isThinking });
  const finalServer = legalServer && Object.keys(legalServer).length > 0 ? legalServer : undefined;
  const { server: _, ...rest } = request;
  return {
    ...rest,
    head:
      finalParams === head.params ? head : { ...head, id: `${head.id}:call`, params: finalParams },
    ...(finalServer && { server: finalServer }),
    maxOutputTokens,
  };
}

/** The Anthropic SDK refuses a call that asks for more output than this and is not streamed (SDK 1.14.0), in tokens. */
export const MOST_UNSTREAMED_TOKENS = 21_333;

interface Room {
  readonly answerTokens: number;
  readonly mostTokens: number;
  readonly leastAnswerTokens?: number | undefined;
}

function fitThinking(
  params: JsonObject,
  { answerTokens, mostTokens, leastAnswerTokens = LEAST_THINKING_TOKENS }: Room,
): { readonly params: JsonObject; readonly maxOutputTokens: number } {
  const budget = thinkingBudget(params);
  const plain = Math.min(answerTokens, mostTokens);
  if (budget === 0) return { params, maxOutputTokens: plain };
  const least = Math.min(leastAnswerTokens, answerTokens);
  if (budget + least <= mostTokens) {
    return { params, maxOutputTokens: Math.min(budget + answerTokens, mostTokens) };
  }
  const smaller = mostTokens - Math.max(least, Math.min(answerTokens, Math.floor(mostTokens / 2)));
  const { thinking, ...others } = params;
  if (smaller < LEAST_THINKING_TOKENS) return { params: others, maxOutputTokens: plain };
  const fitted = { ...(thinking as JsonObject), budget_tokens: smaller };
  return { params: { ...params, thinking: fitted }, maxOutputTokens: mostTokens };
}

/** Tokens of thinking that parameters ask for, out of the output; 0 where they name none. */
export function thinkingBudget({ thinking }: JsonObject): number {
  const { budget_tokens: budget } = recordOf(thinking);
  return typeof budget === 'number' && budget > 0 ? budget : 0;
}

/** Models that always think refuse to be told not to. */
function withLegalSwitch(params: JsonObject, model: string): JsonObject {
  const { thinking, ...others } = params;
  return recordOf(thinking).type === 'disabled' && ALWAYS_THINK.test(model) ? others : params;
}

/** They answer `thinking: disabled` with a 400 (platform.claude.com, "Extended thinking", read in October 2026). */
const ALWAYS_THINK = /claude-(?:fable|mythos)-|claude-(?:opus|sonnet)-5[-.]5/;

/** Parameters by which an answer is no free text, in the words of each provider. */
function withoutForced(params: JsonObject): JsonObject {
  const kept = Object.entries(params).flatMap(([name, value]): [string, Json | undefined][] => {
    if (ENDS_OR_SHAPES.has(name)) return [];
    if (name === 'tool_choice') return isForced(value) ? [] : [[name, value]];
    if (name !== 'output_config' && name !== 'text') return [[name, value]];
    if (!('format' in recordOf(value))) return [[name, value]];
    const { format: _, ...others } = recordOf(value);
    return Object.keys(others).length > 0 ? [[name, others]] : [];
  });
  const isSame =
    kept.length === Object.keys(params).length && kept.every(([n, v]) => params[n] === v);
  return isSame ? params : Object.fromEntries(kept);
}

const ENDS_OR_SHAPES: ReadonlySet<string> = new Set([
  'output_format',
  'response_format',
  'stop',
  'stop_sequences',
]);

/** `auto` and `none` leave the answer to the model. */
function isForced(choice: Json | undefined): boolean {
  if (typeof choice === 'string') return choice !== 'auto' && choice !== 'none';
  const { type } = recordOf(choice);
  return type !== undefined && type !== 'auto' && type !== 'none';
}

const recordOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {});
