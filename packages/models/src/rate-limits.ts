/** What is left of one of the provider's allowances. */
export interface RateLimit {
  /** The provider's word: `requests`, `tokens`, `input-tokens`, … */
  readonly name: string;
  readonly limit?: number;
  readonly remaining?: number;
  /** As the provider writes it: a time (Anthropic) or a duration such as `6m0s` (OpenAI). */
  readonly reset?: string;
}

/** Allowances from the headers of a response, by name. */
export function rateLimitsOf(headers: Headers | undefined): readonly RateLimit[] {
  const found = new Map<string, { -readonly [Key in keyof RateLimit]: RateLimit[Key] }>();
  headers?.forEach((value, header) => {
    const [, first, second] = ANTHROPIC.exec(header) ?? [];
    const [, third, fourth] = OPENAI.exec(header) ?? [];
    const name = first ?? fourth;
    const part = second ?? third;
    if (name === undefined || part === undefined) return;
    const limit = found.get(name) ?? { name };
    if (part === 'reset') limit.reset = value;
    else if (/^\d+$/.test(value)) limit[part as 'limit' | 'remaining'] = Number(value);
    found.set(name, limit);
  });
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

const ANTHROPIC = /^anthropic-ratelimit-(.+)-(limit|remaining|reset)$/;
const OPENAI = /^x-ratelimit-(limit|remaining|reset)-(.+)$/;
