/** The middle value, or the mean of the two in the middle; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = inOrder(values);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The smallest value that at least this share of all are not above; null for an empty list. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = inOrder(values);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

const inOrder = (values: readonly number[]): number[] =>
  [...values].sort((left, right) => left - right);
