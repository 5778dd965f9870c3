import type { MemoryFile, ReadMemory } from './memory-file.ts';

const DAY_MS = 86_400_000;
/** Files of a clone or a copy are written within a minute of each other. */
const AT_ONCE_MS = 60_000;
const MOST_AT_ONCE = 0.8;

/**
 * When each file was last changed. The stamp of its writer wins; without one the time of the file system counts, unless more
 * than 80 % of the files have the same one, as after a clone, a copy or a sync: then nothing is known.
 */
export function datesOf(files: readonly ReadMemory[]): (file: ReadMemory) => number | undefined {
  const isCopied = files.length > 1 && largestGroup(files) > MOST_AT_ONCE * files.length;
  return ({ stampMs, fileMs }) =>
    stampMs ?? (isCopied || Number.isNaN(fileMs) ? undefined : fileMs);
}

/** How many files were written within a minute of each other. */
function largestGroup(files: readonly ReadMemory[]): number {
  const times = files.map(({ fileMs }) => fileMs).sort((one, other) => one - other);
  let [start, largest] = [0, 0];
  for (const [end, time] of times.entries()) {
    while (time - (times[start] as number) > AT_ONCE_MS) start++;
    largest = Math.max(largest, end - start + 1);
  }
  return largest;
}

/** Newest first; of what is not known last; paths break ties. */
export const byNewest = (
  one: Pick<MemoryFile, 'modifiedMs' | 'path'>,
  other: Pick<MemoryFile, 'modifiedMs' | 'path'>,
): number => {
  const [left, right] = [one.modifiedMs ?? -Infinity, other.modifiedMs ?? -Infinity];
  if (left !== right) return right > left ? 1 : -1;
  return one.path < other.path ? -1 : 1;
};

/** Days that have passed: whole periods of 24 hours, 0 for what lies in the future. */
export function ageInDays(modifiedMs: number | undefined, nowMs: number): number | undefined {
  return modifiedMs === undefined
    ? undefined
    : Math.max(0, Math.floor((nowMs - modifiedMs) / DAY_MS));
}

/** `today`, `yesterday`, `12 days ago`: models reason better on these than on dates. */
export function ageText(days: number | undefined): string {
  if (days === undefined) return 'age not known';
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** How old a file is in words, for lists. */
export const ageOf = (modifiedMs: number | undefined, nowMs: number): string =>
  ageText(ageInDays(modifiedMs, nowMs));

const CAVEAT =
  'what it says was true then: code, names and line numbers may have changed since. Check before you state it as fact or act on it.';

/** The line above a memory that is shown. It is made once, when the memory is attached, so that its bytes stay. */
export function freshnessHeader(place: string, days: number | undefined): string {
  if (days === undefined) return `Memory of an age that is not known; ${CAVEAT}\n${place}`;
  if (days >= 2) return `Memory saved ${ageText(days)}; ${CAVEAT}\n${place}`;
  return `Memory saved ${ageText(days)}: ${place}`;
}
