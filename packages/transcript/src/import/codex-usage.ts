import { isRecord, recordOf } from '@varve/guards';
import type { Usage } from '@varve/messages';
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
    add(info: unknown, group: string | undefined, { at, isCopy }: CountPlace): boolean {
      const next = recordOf(recordOf(info).total_token_usage);
      const isSame = TOTALS.every((name) => next[name] === totals[name]);
      const delta = TOTALS.map((name) => [
        name,
        (countOf(next[name]) ?? 0) - (countOf(totals[name]) ?? 0),
      ]);
      totals = next;
      if (isSame) {
        context.unused('event_msg/token_count-repeated');
        return false;
      }
      const last = recordOf(info).last_token_usage;
      const usage = usageOf(isRecord(last) ? last : Object.fromEntries(delta));
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

/** When a count was written, and whether it was copied from a parent thread. */
interface CountPlace {
  readonly at: string | undefined;
  readonly isCopy: boolean;
}

/** OpenAI counts cached tokens among the input; here they are apart. */
function usageOf(usage: JsonRecord): Usage {
  const input = countOf(usage.input_tokens) ?? 0;
  const cached = Math.min(input, countOf(usage.cached_input_tokens) ?? 0);
  const reasoning = countOf(usage.reasoning_output_tokens);
  return {
    input_tokens: input - cached,
    output_tokens: countOf(usage.output_tokens) ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    provider_usage: usage,
  };
}
