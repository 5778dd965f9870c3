import type { RecordedRequest } from './recorded-request.ts';

// An imported file carries the times of the import.
const MAX_BACKWARDS = 2;
const MIN_DISTINCT_SHARE = 0.7;

/** False where times run backwards more than twice or many requests share one: the gaps are then not what happened. */
export function isClockTrusted(requests: readonly RecordedRequest[]): boolean {
  const starts = requests.map(({ startMs }) => startMs);
  if (starts.filter(Number.isNaN).length > MAX_BACKWARDS) return false;
  const backwards = starts.filter((start, index) => start < (starts[index - 1] ?? start)).length;
  const distinct = new Set(starts).size / starts.length;
  return backwards <= MAX_BACKWARDS && distinct >= MIN_DISTINCT_SHARE;
}
