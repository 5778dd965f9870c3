import { promptTokens, type Usage } from '@varve/messages';

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** The sum of two bills; writes keep their split by lifetime where both have it. */
export function addUsage(left: Usage, right: Usage): Usage {
  const written = sum(left.cache_creation_input_tokens, right.cache_creation_input_tokens);
  const split = addSplit(left, right);
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: sum(left.cache_read_input_tokens, right.cache_read_input_tokens),
    ...(split && { cache_creation: split }),
  };
}

/** Tokens read from the cache as a share of all prompt tokens. */
export function cachedShare(usage: Usage): number | undefined {
  const prompt = promptTokens(usage);
  return prompt === 0 ? undefined : (usage.cache_read_input_tokens ?? 0) / prompt;
}

function addSplit(left: Usage, right: Usage): NonNullable<Usage['cache_creation']> | undefined {
  const [first, second] = [splitOf(left), splitOf(right)];
  if (!first || !second) return undefined;
  return {
    ephemeral_5m_input_tokens: sum(
      first.ephemeral_5m_input_tokens,
      second.ephemeral_5m_input_tokens,
    ),
    ephemeral_1h_input_tokens: sum(
      first.ephemeral_1h_input_tokens,
      second.ephemeral_1h_input_tokens,
    ),
  };
}

/** Nothing written is split already. */
function splitOf(usage: Usage): NonNullable<Usage['cache_creation']> | undefined {
  return usage.cache_creation ?? (usage.cache_creation_input_tokens ? undefined : {});
}

const sum = (left: number | null | undefined, right: number | null | undefined): number =>
  (left ?? 0) + (right ?? 0);
