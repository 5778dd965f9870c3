import type { Entry } from '@varve/messages';

/**
 * When requests went out that were later than their last input, after a retry or where the file says so: milliseconds since
 * 1970 by the id of the reply.
 */
export function knownStarts(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  let pending: number | undefined;
  for (const entry of entries) {
    if (entry.type === 'note') pending = startIn(entry.data) ?? pending;
    if (entry.type !== 'message') continue;
    const { role, id } = entry.message;
    if (role === 'assistant' && pending !== undefined) starts.set(id, pending);
    pending = undefined;
  }
  return starts;
}

function startIn(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, at, retryAt } = data as Readonly<Record<string, unknown>>;
  const stamp = kind === 'request-start' ? at : kind === 'api-error' ? retryAt : undefined;
  const time = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
