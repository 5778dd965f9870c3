import { expected, isRecord } from '@varve/guards';
import type { Usage } from '../types.ts';

/** What OpenAI's Chat Completions report; the SDK's `CompletionUsage` fits. */
export interface OpenAIChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: CachedTokens | null | undefined;
  readonly completion_tokens_details?: ReasoningTokens | null | undefined;
}

/** What OpenAI's Responses report; the SDK's `ResponseUsage` fits. */
export interface OpenAIResponsesUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_tokens_details?: CachedTokens | null | undefined;
  readonly output_tokens_details?: ReasoningTokens | null | undefined;
}

interface CachedTokens {
  readonly cached_tokens?: number | null | undefined;
  readonly cache_write_tokens?: number | null | undefined;
}

interface ReasoningTokens {
  readonly reasoning_tokens?: number | null | undefined;
}

/** Usage of Chat Completions in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export function usageFromOpenAIChat(usage: OpenAIChatUsage): Usage {
  return usageOf(usage, 'prompt_tokens');
}

/** Usage of Responses in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export function usageFromOpenAIResponses(usage: OpenAIResponsesUsage): Usage {
  return usageOf(usage, 'input_tokens');
}

/**
 * Reads a usage by the fields it has, whichever of the two converters it was given to; Anthropic's and Bedrock's, which
 * count cached tokens apart, the AI SDK's and Gemini's as well. What the provider said is kept as `provider_usage`. No count is
 * ever negative or NaN; those of the cache are missing where the usage says nothing of it, which is not 0. What does not agree is
 * named in `inconsistent`:
 *
 * - `count`: a count was no number from 0 up, or that of the prompt or the output is missing; 0 stands for it
 * - `cached-above-prompt`: more tokens were cached than the prompt has, as gateways say that count them apart; they are then
 *   counted beside it, because the larger reading is the safe one
 * - `thinking-above-output`: more tokens were thinking than the output has; they are then counted beside it, unless the total
 *   leaves them out
 * - `total`: the total is not what its parts make; the parts stand
 * - `shape`: the usage is of another API than the converter's name says, or of none that is known: then all counts are 0
 *
 * @throws TypeError for what is no object
 */
function usageOf(reported: object, promptField: 'prompt_tokens' | 'input_tokens'): Usage {
  if (!isRecord(reported)) throw expected('usage', 'an object', reported);
  const usage: Loose = reported;
  const problems = new Set<string>();
  const count = (value: unknown): number => {
    if (value === undefined || value === null) return 0;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    problems.add('count');
    return 0;
  };
  const countsApart = APART.some((name) => usage[name] !== undefined);
  const inputs = partsOf(usage, INPUT_PARTS);
  const outputs = partsOf(usage, OUTPUT_PARTS);
  const first = (parts: readonly Loose[], names: readonly string[]): unknown =>
    parts
      .flatMap((part) => names.map((name) => part[name]))
      .find((value) => value != null && !isRecord(value));
  const givenPrompt = first([usage], PROMPT) ?? first(inputs, ['total']);
  const givenOutput = first([usage], OUTPUT) ?? first(outputs, ['total']);
  const isNull = promptField in usage && givenPrompt === undefined;
  const isOther =
    usage[promptField] == null && !isNull && Object.values(usage).some((value) => value != null);
  if (countsApart || isOther) problems.add('shape');
  const isMissing = givenPrompt === undefined || givenOutput === undefined;
  if (!isOther && isMissing && Object.keys(usage).length > 0) problems.add('count');
  const thinking = first(outputs, THINKING);
  const thoughtsApart = count(usage.thoughtsTokenCount);
  const prompt = count(givenPrompt) + count(usage.toolUsePromptTokenCount);
  const said = count(givenOutput) + thoughtsApart;
  const givenRead = first(inputs, countsApart ? READ_APART : READ);
  const givenWritten = first(inputs, countsApart ? WRITTEN_APART : WRITTEN);
  const [read, written] = [count(givenRead), count(givenWritten)];
  // Gemini leaves out what is 0
  const saysCached = [givenRead, givenWritten, usage.promptTokenCount].some((each) => each != null);
  const isApart = countsApart || read + written > prompt;
  if (isApart && !countsApart) problems.add('cached-above-prompt');
  const givenTotal = first([usage], TOTAL);
  const total = givenTotal === undefined ? undefined : count(givenTotal);
  const makesTotal = (output: number): boolean =>
    total === prompt + output || total === prompt + output + read + written;
  const isThoughtAbove = count(thinking) > said;
  if (isThoughtAbove) problems.add('thinking-above-output');
  const output = isThoughtAbove && !makesTotal(said) ? said + count(thinking) : said;
  if (total !== undefined && !makesTotal(said) && !makesTotal(output)) problems.add('total');
  return {
    input_tokens: isApart ? prompt : prompt - read - written,
    output_tokens: output,
    ...(saysCached && { cache_creation_input_tokens: written, cache_read_input_tokens: read }),
    ...(thinking != null && { output_tokens_details: { thinking_tokens: count(thinking) } }),
    ...(problems.size > 0 && { inconsistent: [...problems] }),
    provider_usage: reported,
  };
}

type Loose = Readonly<Record<string, unknown>>;

/** Anthropic's and Bedrock's: what was cached is no part of their input. */
const READ_APART = ['cache_read_input_tokens', 'cacheReadInputTokens'];
const WRITTEN_APART = ['cache_creation_input_tokens', 'cacheWriteInputTokens'];
const APART = [...READ_APART, ...WRITTEN_APART, 'cache_creation'];

// Chat, Responses, the AI SDK from 4 to 6, Gemini
const PROMPT = ['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'];
const OUTPUT = [
  ...['completion_tokens', 'output_tokens', 'outputTokens', 'completionTokens'],
  'candidatesTokenCount',
];
const READ = [
  ...['cached_tokens', 'cachedInputTokens', 'cacheReadTokens', 'cacheRead'],
  'cachedContentTokenCount',
];
const WRITTEN = ['cache_write_tokens', 'cacheWriteTokens', 'cacheWrite'];
const THINKING = [
  ...['reasoning_tokens', 'thinking_tokens', 'reasoningTokens', 'reasoning'],
  'thoughtsTokenCount',
];

const TOTAL = ['total_tokens', 'totalTokens', 'totalTokenCount'];

const INPUT_PARTS = [
  'prompt_tokens_details',
  'input_tokens_details',
  'inputTokenDetails',
  'inputTokens',
];
const OUTPUT_PARTS = [
  'completion_tokens_details',
  'output_tokens_details',
  'outputTokenDetails',
  'outputTokens',
];

/** A usage and what it holds below one of some names. */
const partsOf = (usage: Loose, names: readonly string[]): readonly Loose[] => [
  ...names.map((name) => usage[name]).filter(isRecord),
  usage,
];
