/** What a provider's text says of a prompt that does not fit, in tokens. */
export interface OverflowNumbers {
  readonly actualTokens?: number;
  readonly limitTokens?: number;
}

/**
 * Reads a provider's text as "the prompt is too long"; undefined where it says something else. Limits of tokens per
 * minute are rate limits and are told apart.
 */
export function findOverflow(text: string): OverflowNumbers | undefined {
  const searched = text.slice(0, LONGEST_TEXT);
  if (RATE.test(searched)) return undefined;
  for (const { pattern } of OVERFLOW_WORDINGS) {
    const match = pattern.exec(searched);
    if (match) return numbersOf(match.groups ?? {});
  }
  return undefined;
}

/** Longer error texts quote the request; what is wrong stands at their beginning. Characters. */
const LONGEST_TEXT = 4_000;

const RATE =
  /\b(?:per|a) (?:min(?:ute)?|hour|day)\b|\bTP[MDH]\b|rate.?limit|too many requests|throttl|please wait before/i;

function numbersOf(groups: Readonly<Record<string, string | undefined>>): OverflowNumbers {
  const input = count(groups.input);
  const output = count(groups.output);
  const limitTokens = count(groups.limit);
  const both = input !== undefined && output !== undefined ? input + output : undefined;
  const actualTokens = count(groups.actual) ?? both ?? input;
  return {
    ...(actualTokens !== undefined && { actualTokens }),
    ...(limitTokens !== undefined && { limitTokens }),
  };
}

function count(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll(/[,_]/g, ''));
  return Number.isSafeInteger(value) ? value : undefined;
}

export interface OverflowWording {
  /** Who writes so; others copy it. */
  readonly source: string;
  /** Groups: `actual`, `limit`, or `input` and `output` that add up. */
  readonly pattern: RegExp;
}

/**
 * The first that matches counts, so the ones with numbers stand first. Those of Anthropic and OpenAI are documented or
 * were reported by many; the others were reported by users up to November 2026 and not tried on the live services.
 */
export const OVERFLOW_WORDINGS: readonly OverflowWording[] = [
  {
    source: 'fireworks',
    pattern:
      /prompt is too long: (?<actual>[\d,]+), model maximum context length: (?<limit>[\d,]+)/i,
  },
  {
    source: 'anthropic',
    pattern: /prompt is too long(?::? (?<actual>[\d,]+) tokens? > (?<limit>[\d,]+))?/i,
  },
  {
    source: 'anthropic',
    pattern:
      /input length and `?max_tokens`? exceed context limit: (?<input>[\d,]+) \+ (?<output>[\d,]+) > (?<limit>[\d,]+)/i,
  },
  {
    source: 'vllm',
    pattern:
      /max(?:_completion)?_tokens'? is too large: (?<output>[\d,]+)\..{0,20}maximum context length is (?<limit>[\d,]+) tokens and your request has (?<input>[\d,]+)/is,
  },
  {
    source: 'openai',
    pattern:
      /maximum context length (?:is|of) (?<limit>[\d,]+) tokens\b.{0,80}?(?:resulted in|requested(?: about)?(?: a total of)?|request has|contains at least) (?<actual>[\d,]+)/is,
  },
  {
    source: 'openai',
    pattern:
      /exceeds? the configured limit of (?<limit>[\d,]+) tokens.{0,60}?resulted in (?<actual>[\d,]+)/is,
  },
  { source: 'openai', pattern: /maximum context length (?:is|of) (?<limit>[\d,]+)/i },
  { source: 'openai', pattern: /input exceeds the (?:context window|context length)/i },
  {
    source: 'gemini',
    pattern:
      /input token count (?:\((?<actual>[\d,]+)\) |is (?<input>[\d,]+) )?(?:exceeds the maximum number of tokens allowed|but (?:the )?model only supports up to) ?\(?(?<limit>[\d,]+)?/i,
  },
  {
    source: 'copilot',
    pattern: /prompt token count of (?<actual>[\d,]+) exceeds the limit of (?<limit>[\d,]+)/i,
  },
  {
    source: 'xai',
    pattern:
      /maximum prompt length is (?<limit>[\d,]+) but the request contains (?<actual>[\d,]+)/i,
  },
  {
    source: 'mistral',
    pattern:
      /prompt contains (?<actual>[\d,]+) tokens.{0,60}?too large for model with (?<limit>[\d,]+)/is,
  },
  {
    source: 'moonshot',
    pattern: /exceeded model token limit: (?<limit>[\d,]+)(?: \(requested: (?<actual>[\d,]+)\))?/i,
  },
  {
    source: 'cerebras',
    pattern: /current length is (?<actual>[\d,]+) while limit is (?<limit>[\d,]+)/i,
  },
  {
    source: 'cloudflare',
    pattern:
      /input and maximum output tokens \((?<actual>[\d,]+)\) exceeded this model context window limit \((?<limit>[\d,]+)\)/i,
  },
  {
    source: 'llama.cpp',
    pattern:
      /request \((?<actual>[\d,]+) tokens\) exceeds the available context size \((?<limit>[\d,]+)/i,
  },
  { source: 'llama.cpp', pattern: /exceeds? the available context size|exceed_context_size/i },
  {
    source: 'vllm',
    pattern:
      /prompt \((?:total )?length (?<actual>[\d,]+)\) is (?:too long to fit into the model \(context length|longer than the maximum model length of) ?(?<limit>[\d,]+)/i,
  },
  {
    source: 'sglang',
    pattern:
      /input \((?<actual>[\d,]+) tokens\) is longer than the model's context length \((?<limit>[\d,]+)/i,
  },
  {
    source: 'tgi',
    pattern:
      /must be <= (?<limit>[\d,]+)\. Given: (?<input>[\d,]+) `inputs` tokens and (?<output>[\d,]+) `max_new_tokens`/i,
  },
  {
    source: 'tgi',
    pattern: /`inputs` must have less than (?<limit>[\d,]+) tokens\. Given: (?<actual>[\d,]+)/i,
  },
  {
    source: 'cohere',
    pattern:
      /tokens in the prompt cannot exceed (?<limit>[\d,]+)(?:\D{1,20}received (?<actual>[\d,]+))?/i,
  },
  { source: 'dashscope', pattern: /range of input length should be \[\d+, ?(?<limit>[\d,]+)\]/i },
  {
    source: 'lm-studio',
    pattern:
      /first (?<actual>[\d,]+) tokens when context the overflows.{0,80}?context length of only (?<limit>[\d,]+)/is,
  },
  {
    source: 'ollama',
    pattern: /exceed(?:s|ed) (?:the )?(?:max(?:imum)? )?context length/i,
  },
  {
    source: 'together',
    pattern:
      /input length \((?<actual>[\d,]+)\) exceeds (?:the )?model's maximum context length \((?<limit>[\d,]+)\)/i,
  },
  {
    source: 'vllm',
    pattern:
      /input prompt \((?<actual>[\d,]+) tokens\) is too long and exceeds (?:the )?limit of (?<limit>[\d,]+)/i,
  },
  {
    source: 'llama-cpp-python',
    pattern: /requested tokens \((?<actual>[\d,]+)\) exceed context window of (?<limit>[\d,]+)/i,
  },
  {
    source: 'several',
    pattern:
      /prompt has (?<actual>[\d,]+) tokens, but the configured context size is (?<limit>[\d,]+)/i,
  },
  { source: 'bedrock', pattern: /input is too long for (?:the )?requested model/i },
  { source: 'groq', pattern: /reduce the length of the messages/i },
  { source: 'zhipu', pattern: /prompt exceeds max(?:imum)? length/i },
  { source: 'minimax', pattern: /context window exceeds limit/i },
  { source: 'litellm', pattern: /ContextWindowExceeded/i },
  {
    source: 'several',
    pattern:
      /context[_ ](?:length|window)[_ ]exceeded|exceed(?:s|ed)? (?:the |this )?(?:model'?s? )?(?:maximum |max )?context (?:length|window|size|limit)/i,
  },
  {
    source: 'several',
    pattern:
      /(?:greater|longer|larger) than the (?:model'?s? )?(?:maximum )?context (?:length|window|size)/i,
  },
  { source: 'several', pattern: /too many (?:input|prompt) tokens/i },
  { source: 'zhipu', pattern: /超过模型最大上下文长度/ },
];
