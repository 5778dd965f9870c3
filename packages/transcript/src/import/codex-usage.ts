import { isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import { countOf, type JsonRecord } from './json.ts';

const TOTALS = [
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
] as const;

/**
 * Reads `token_count` events. They stand after the tool outputs of their reply, are written again unchanged, and a thread
 * forked from another one begins with those of its parent, all at one time.
 */
export function createCodexUsage(context: ImportContext) {
  const counts: {
    readonly group: string;
    readonly at: string | undefined;
    readonly isCopy: boolean;
    readonly usage: Usage;
  }[] = [];
  let totals: JsonRecord = {};
  let lastTokens: number | undefined;
  let disowned = 0;

  return {
    /** Prompt and output of the newest request in tokens. */
    lastTokens: () => lastTokens,
    /** A count for the reply begun under `group`; false where it repeats one. */
    add(info: JsonRecord, group: string | undefined, { at, isCopy, line }: CountPlace): boolean {
      const { total_token_usage: total, last_token_usage: last } = info;
      const isSame = isRecord(total) && TOTALS.every((name) => total[name] === totals[name]);
      const usage = isSame ? undefined : usageOf(last ?? since(total, totals), { context, line });
      // what the reply itself was billed is told all the same
      if (last !== undefined && !isTotal(total)) context.unused('bill.total_token_usage');
      if (isRecord(total)) totals = total;
      if (isSame) {
        context.unused('event_msg/token_count-repeated');
        return false;
      }
      if (usage === undefined) return true;
      lastTokens = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + usage.output_tokens;
      if (group === undefined) context.unused('event_msg/token_count-without-reply');
      else counts.push({ group, at, isCopy, usage });
      return true;
    },
    /** All counts so far are those of a parent thread. */
    disown(): void {
      disowned = counts.length;
    },
    /** The usage of each reply, without those that a parent thread has paid. */
    settle(): ReadonlyMap<string, Usage> {
      const rest = counts.slice(disowned);
      const firstAt = rest[0]?.at;
      const isReplay = firstAt !== undefined && rest.filter(({ at }) => at === firstAt).length > 1;
      const own = rest.filter(({ at, isCopy }) => !isCopy && !(isReplay && at === firstAt));
      context.unused('event_msg/token_count-of-parent', counts.length - own.length);
      return new Map(own.map(({ group, usage }) => [group, usage]));
    },
  };
}

/** What was counted since the totals before; what is no count stays as it is. */
function since(total: unknown, before: JsonRecord): unknown {
  if (!isRecord(total)) return total ?? {};
  const own = TOTALS.filter((name) => total[name] !== undefined).map((name) => {
    const count = countOf(total[name]);
    return [name, count === undefined ? total[name] : count - (countOf(before[name]) ?? 0)];
  });
  return Object.fromEntries(own);
}

/** Whether totals are as they should be, or are not there. */
const isTotal = (total: unknown): boolean =>
  (total ?? undefined) === undefined ||
  (isRecord(total) &&
    TOTALS.every((name) => total[name] === undefined || countOf(total[name]) !== undefined));

/** When a count was written and on which line, and whether it was copied from a parent thread. */
interface CountPlace {
  readonly line: number;
  readonly at: string | undefined;
  readonly isCopy: boolean;
}

const BILL = {
  always: ['input_tokens', 'output_tokens'],
  others: ['cached_input_tokens'],
  details: ['reasoning_output_tokens'],
};

/** OpenAI counts cached tokens among the input; here they are apart. */
function usageOf(usage: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(usage, BILL, place);
  if (bill === undefined) return undefined;
  const input = bill.count('input_tokens') ?? 0;
  const cached = Math.min(input, bill.count('cached_input_tokens') ?? 0);
  const reasoning = bill.count('reasoning_output_tokens');
  return {
    input_tokens: input - cached,
    output_tokens: bill.count('output_tokens') ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    provider_usage: bill.fields,
  };
}
