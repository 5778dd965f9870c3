import { isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import { countOf, type JsonRecord } from './json.ts';

/** Usage as Anthropic's API gives it, other fields and all; a count that is null is left out. */
export function anthropicUsage(value: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(value, BILL, place);
  if (bill === undefined) return undefined;
  const { cache_creation: creation, output_tokens_details: details, ...flat } = bill.fields;
  return {
    ...withCounts(flat, CACHE_COUNTS),
    input_tokens: bill.count('input_tokens') ?? 0,
    output_tokens: bill.count('output_tokens') ?? 0,
    ...(isRecord(creation) ? { cache_creation: withCounts(creation, LIFETIMES) } : {}),
    ...(isRecord(details) ? { output_tokens_details: withCounts(details, DETAILS) } : {}),
  };
}

const CACHE_COUNTS = ['cache_creation_input_tokens', 'cache_read_input_tokens'];
const LIFETIMES = ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'];
const DETAILS = ['thinking_tokens'];

const BILL = {
  always: ['input_tokens', 'output_tokens'],
  others: CACHE_COUNTS,
  details: [
    ...LIFETIMES.map((name) => `cache_creation.${name}`),
    ...DETAILS.map((name) => `output_tokens_details.${name}`),
  ],
};

function withCounts(fields: JsonRecord, names: readonly string[]): JsonRecord {
  const isSound = (name: string): boolean =>
    !names.includes(name) || countOf(fields[name]) !== undefined;
  const own = names.filter((name) => Object.hasOwn(fields, name));
  if (own.every(isSound)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSound(name)));
}
