import { type Fields, isRecord } from '../like.ts';

/** Whether a value has fields beyond the known ones; undefined and null count as absent. */
export function hasOtherFields(value: object, known: readonly string[]): boolean {
  const fields = value as Fields;
  return Object.keys(fields).some((name) => !known.includes(name) && fields[name] != null);
}

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
