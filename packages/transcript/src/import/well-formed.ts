/** JSON text that may hold half a surrogate pair as an escape. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Whether a value parsed from this JSON text has to be looked at by {@link wellFormed}. */
export const mayHoldSurrogates = (json: string): boolean => SURROGATE_ESCAPE.test(json);

/**
 * The value with U+FFFD for each half of a surrogate pair that stands alone (a strict JSON parser refuses the whole request
 * for one of them), and how many there were. Keeps the reference of everything that was well-formed.
 */
export function wellFormed(value: unknown): { readonly value: unknown; readonly replaced: number } {
  const counter = { replaced: 0 };
  return { value: repair(value, counter), replaced: counter.replaced };
}

function repair(value: unknown, counter: { replaced: number }): unknown {
  if (typeof value === 'string') return repairText(value, counter);
  if (Array.isArray(value)) {
    const items = value.map((item) => repair(item, counter));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [repairText(key, counter), repair(item, counter)]);
  const same = after.every(
    ([key, item], index) => key === before[index]?.[0] && item === before[index]?.[1],
  );
  return same ? value : Object.fromEntries(after);
}

function repairText(text: string, counter: { replaced: number }): string {
  return text.replace(LONE_SURROGATE, () => {
    counter.replaced += 1;
    return '\uFFFD';
  });
}
