import type { Usage } from '@varve/messages';
import type { SummaryReply } from '../types.ts';

/**
 * What a reply with a compaction by the provider cost: the sum of its iterations, because the usage beside them leaves the
 * compaction out. The usage itself where there are no iterations.
 */
export function billOf({
  usage,
  iterations,
}: Pick<SummaryReply, 'usage' | 'iterations'>): Usage | undefined {
  const bills = (iterations ?? []).filter((each) => typeof each === 'object' && each !== null);
  if (bills.length === 0) return usage;
  const sum = (read: (bill: Bill) => unknown) =>
    bills.reduce<number>((total, bill) => total + numberOf(read(bill as Bill)), 0);
  const written5m = sum((bill) => bill.cache_creation?.ephemeral_5m_input_tokens);
  const written1h = sum((bill) => bill.cache_creation?.ephemeral_1h_input_tokens);
  return {
    input_tokens: sum((bill) => bill.input_tokens),
    output_tokens: sum((bill) => bill.output_tokens),
    cache_creation_input_tokens: sum((bill) => bill.cache_creation_input_tokens),
    cache_read_input_tokens: sum((bill) => bill.cache_read_input_tokens),
    ...(written5m + written1h > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: written5m,
        ephemeral_1h_input_tokens: written1h,
      },
    }),
  };
}

interface Bill {
  readonly [field: string]: unknown;
  readonly cache_creation?: { readonly [field: string]: unknown } | null;
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;
