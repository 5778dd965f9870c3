import { type Fields, isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';

/** One line of a transcript that carries usage. */
export interface UsageLine {
  /** Id of the API response. A line without one is a response of its own. */
  readonly id?: string | undefined;
  readonly usage: Usage;
  /** Missing, null or `unknown` while the response was still streaming. */
  readonly stopReason?: string | null | undefined;
}

/** One response, however many lines, files and branches carry it. */
export interface FoldedResponse {
  readonly id: string | undefined;
  /** Counts are cumulative: of each, the largest any line holds. */
  readonly usage: Usage;
  /** No line says why the response stopped, so its output may be a placeholder. */
  readonly partial: boolean;
  readonly lines: number;
}

/** Sums over all responses. */
export interface UsageTotal {
  readonly responses: number;
  readonly partialResponses: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface UsageFold {
  /** Takes a line, in any order; costs the same however many there were. */
  add(line: UsageLine): void;
  /** In order of their first lines. */
  responses(): readonly FoldedResponse[];
  total(): UsageTotal;
}

/**
 * Counts each API response once: transcripts store one response as several lines, copy it into other files when a session
 * branches, and write counts while they still grow.
 */
export function createUsageFold(): UsageFold {
  const responses: FoldedResponse[] = [];
  const indices = new Map<string, number>();
  let total = NOTHING;
  return {
    add(line) {
      const known = line.id === undefined ? undefined : indices.get(line.id);
      const before = known === undefined ? undefined : responses[known];
      const after = before ? merge(before, line) : fold(line);
      const index = known ?? responses.length;
      if (line.id !== undefined) indices.set(line.id, index);
      responses[index] = after;
      total = addTotals(total, totalOf(after), 1);
      if (before) total = addTotals(total, totalOf(before), -1);
    },
    responses: () => [...responses],
    total: () => total,
  };
}

const NOTHING: UsageTotal = {
  responses: 0,
  partialResponses: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

const fold = ({ id, usage, stopReason }: UsageLine): FoldedResponse => ({
  id,
  usage,
  partial: !hasStopped(stopReason),
  lines: 1,
});

const merge = (known: FoldedResponse, { usage, stopReason }: UsageLine): FoldedResponse => ({
  ...known,
  usage: largest(known.usage, usage) as Usage,
  partial: known.partial && !hasStopped(stopReason),
  lines: known.lines + 1,
});

const hasStopped = (stopReason: string | null | undefined): boolean =>
  stopReason !== undefined && stopReason !== null && stopReason !== 'unknown';

/** Field by field: the larger number, the fold of two objects, else the later value that is one. */
function largest(before: Fields, after: Fields): Fields {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(after)) merged[name] = larger(merged[name], value);
  return merged;
}

function larger(before: unknown, after: unknown): unknown {
  if (after === undefined || after === null) return before ?? after;
  if (typeof before === 'number' && typeof after === 'number') return Math.max(before, after);
  return isRecord(before) && isRecord(after) ? largest(before, after) : after;
}

const totalOf = ({ usage, partial }: FoldedResponse): UsageTotal => ({
  responses: 1,
  partialResponses: partial ? 1 : 0,
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheReadTokens: usage.cache_read_input_tokens ?? 0,
  cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
});

function addTotals(a: UsageTotal, b: UsageTotal, sign: 1 | -1): UsageTotal {
  return {
    responses: a.responses + sign * b.responses,
    partialResponses: a.partialResponses + sign * b.partialResponses,
    inputTokens: a.inputTokens + sign * b.inputTokens,
    outputTokens: a.outputTokens + sign * b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + sign * b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + sign * b.cacheWriteTokens,
  };
}
