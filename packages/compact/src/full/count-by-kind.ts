/** How many findings there are of each kind; kinds that were not found are left out. */
export function countByKind(
  findings: readonly { readonly kind: string }[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
