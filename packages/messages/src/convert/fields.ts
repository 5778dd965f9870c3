import type { Fields } from '@varve/guards';

/** Whether a value has fields beyond the known ones; undefined and null count as absent. */
export function hasOtherFields(value: object, known: readonly string[]): boolean {
  const fields = value as Fields;
  return Object.keys(fields).some((name) => !known.includes(name) && fields[name] != null);
}
