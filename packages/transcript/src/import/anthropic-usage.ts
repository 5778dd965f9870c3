import { isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';
import { countOf, type JsonRecord } from './json.ts';

/** Usage as Anthropic's API gives it, other fields and all; a count that is no number is left out, a missing one is 0. */
export function anthropicUsage(usage: JsonRecord): Usage {
  const { cache_creation: creation, output_tokens_details: details, ...flat } = usage;
  return {
    ...withCounts(flat, CACHE_COUNTS),
    input_tokens: countOf(usage.input_tokens) ?? 0,
    output_tokens: countOf(usage.output_tokens) ?? 0,
    ...(isRecord(creation) ? { cache_creation: withCounts(creation, LIFETIMES) } : {}),
    ...(isRecord(details) ? { output_tokens_details: withCounts(details, DETAILS) } : {}),
  };
}

const CACHE_COUNTS = ['cache_creation_input_tokens', 'cache_read_input_tokens'];
const LIFETIMES = ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'];
const DETAILS = ['thinking_tokens'];

function withCounts(fields: JsonRecord, names: readonly string[]): JsonRecord {
  const isSound = (name: string): boolean =>
    !names.includes(name) || countOf(fields[name]) !== undefined;
  const own = names.filter((name) => Object.hasOwn(fields, name));
  if (own.every(isSound)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSound(name)));
}
