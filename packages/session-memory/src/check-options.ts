/**
 * Refuses numbers that would take notes always, never, or without end.
 *
 * @throws RangeError for a number that is negative or none; TypeError for a group that is no object.
 */
export function checkNumbers<Group extends object>(
  group: Group | undefined,
  names: readonly (keyof Group & string)[],
): void {
  if (group === undefined) return;
  if (typeof group !== 'object' || group === null) {
    throw new TypeError(`Expected options as an object, got \`${group}\`.`);
  }
  for (const name of names) {
    const value: unknown = group[name];
    if (value !== undefined && !isTokens(value)) {
      throw new RangeError(`Expected \`${name}\` to be a number from 0 up, got \`${value}\`.`);
    }
  }
}

export const isTokens = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0;
