import { type Fields, isRecord } from '@varve/guards';
import type { Usage } from '@varve/messages';
import { usageFromOpenAIResponses } from '@varve/messages/convert';

/**
 * `no-usage`: what came as a bill is none, e.g. null. `other-usage`: it is of another API, and was read as well as it goes.
 * `invalid-count`: some of its counts are none, e.g. NaN or below 0, and are left out.
 */
export type UsageDoubt = 'no-usage' | 'other-usage' | 'invalid-count';

/** A bill as the log can hold it, and what of it is doubtful: a reply is good without it. */
export interface ReadBill {
  readonly usage?: Usage;
  readonly doubt?: UsageDoubt;
}

/** Reads what came as a bill; never throws. One of another API is read by its own names. */
export function readBill(given: unknown): ReadBill {
  if (given === undefined) return {};
  if (!isRecord(given)) return { doubt: 'no-usage' };
  const lost = new Set<string>();
  const copy = plain(given, { path: '', lost, depth: 0 }) as Fields;
  const isOurs = OWN.every((name) => typeof copy[name] === 'number' || lost.has(`.${name}`));
  if (!isOurs) {
    return { usage: usageFromOpenAIResponses(copy as never), doubt: 'other-usage' };
  }
  const usage = withoutOdd(copy, lost);
  if (lost.size === 0) return { usage };
  const isPromptLost = PROMPT.some((name) => lost.has(`.${name}`));
  const inconsistent = isPromptLost ? ['count', 'prompt-count'] : ['count'];
  return { usage: { ...usage, inconsistent }, doubt: 'invalid-count' };
}

const OWN = ['input_tokens', 'output_tokens'] as const;
const CACHED = ['cache_creation_input_tokens', 'cache_read_input_tokens'] as const;
const PROMPT = ['input_tokens', ...CACHED] as const;
const PARTS = {
  cache_creation: ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'],
  output_tokens_details: ['thinking_tokens'],
} as const;

/** Takes out what a reader of the log would refuse, and names it. */
function withoutOdd(copy: Fields, lost: Set<string>): Usage {
  const usage: Record<string, unknown> = { ...copy };
  for (const name of CACHED) dropOdd(usage, name, lost);
  for (const [name, counts] of Object.entries(PARTS)) {
    const part = usage[name];
    if (part === undefined || part === null) continue;
    if (!isRecord(part)) {
      delete usage[name];
      lost.add(`.${name}`);
      continue;
    }
    const kept = { ...part };
    for (const count of counts) dropOdd(kept, count, lost);
    usage[name] = kept;
  }
  for (const name of OWN) usage[name] ??= 0;
  return usage as unknown as Usage;
}

function dropOdd(fields: Record<string, unknown>, name: string, lost: Set<string>): void {
  const value = fields[name];
  if (value === undefined || typeof value === 'number') return;
  delete fields[name];
  if (value !== null) lost.add(`.${name}`);
}

interface Place {
  readonly path: string;
  /** Paths of numbers that are none, and of what JSON cannot hold. */
  readonly lost: Set<string>;
  readonly depth: number;
}

/** No bill is nested deeper. */
const MAX_DEPTH = 8;

/** What JSON can hold of a value; numbers that are no counts are null. */
function plain(value: unknown, place: Place): unknown {
  const { path, lost, depth } = place;
  if (typeof value === 'bigint') return plain(Number(value), place);
  if (typeof value === 'number') {
    if (Number.isFinite(value) && value >= 0) return value;
    lost.add(path);
    return null;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  }
  if (depth >= MAX_DEPTH) {
    lost.add(path);
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      plain(item, { path: `${path}.${index}`, lost, depth: depth + 1 }),
    );
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const at = { path: `${path}.${name}`, lost, depth: depth + 1 };
    try {
      const inner = plain((value as Fields)[name], at);
      if (inner !== undefined) copy[name] = inner;
    } catch {
      lost.add(at.path);
    }
  }
  return copy;
}
