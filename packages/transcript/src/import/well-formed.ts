/** JSON text that may hold half a surrogate pair as an escape. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Whether a value parsed from this JSON text has to be looked at by {@link wellFormed}. */
export const mayHoldSurrogates = (json: string): boolean => SURROGATE_ESCAPE.test(json);

/** No input of a tool is nested so deep; what works on a value by recursion comes to its end a few times deeper. */
export const MAX_DEPTH = 500;

/** Whether a value is nested more than `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const key in value) {
    if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}

export interface WellFormed {
  readonly value: unknown;
  /** How many halves of surrogate pairs there were. */
  readonly replaced: number;
  /** How many values were nested too deep. */
  readonly cut: number;
}

/**
 * The value as every JSON parser takes it: U+FFFD for each half of a surrogate pair that stands alone (a strict parser
 * refuses the whole request for one of them), null for what is nested too deep. Keeps the reference of everything that was
 * well-formed.
 */
export function wellFormed(value: unknown, maxDepth: number = MAX_DEPTH): WellFormed {
  const counts = { replaced: 0, cut: 0 };
  return { value: repair(value, maxDepth, counts), ...counts };
}

interface Counts {
  replaced: number;
  cut: number;
}

function repair(value: unknown, levels: number, counts: Counts): unknown {
  if (typeof value === 'string') return repairText(value, counts);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) {
    counts.cut += 1;
    return null;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => repair(item, levels - 1, counts));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(
    ([key, item]) => [repairText(key, counts), repair(item, levels - 1, counts)] as const,
  );
  const isSame = after.every(
    ([key, item], index) => key === before[index]?.[0] && item === before[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(after);
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

function repairText(text: string, counts: Counts): string {
  if (text.isWellFormed()) return text;
  return text.replace(LONE_SURROGATE, () => {
    counts.replaced += 1;
    return '\uFFFD';
  });
}
