/**
 * The person's instructions and then those of hooks, a blank line between them; blank ones count as none. Undefined where
 * nothing is left.
 */
export function mergeInstructions(
  ...instructions: readonly (string | undefined)[]
): string | undefined {
  const given = instructions.map((each) => each?.trim() ?? '').filter((each) => each !== '');
  return given.length > 0 ? given.join('\n\n') : undefined;
}
