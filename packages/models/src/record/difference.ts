import { isRecord } from '@varve/guards';
import type { RequestDifference } from '../error.ts';

/** The first place where two requests differ; undefined for equal ones. Both are the bytes of `requestBytes`. */
export function findDifference(recorded: string, asked: string): RequestDifference | undefined {
  return differ(JSON.parse(recorded), JSON.parse(asked), '');
}

function differ(left: unknown, right: unknown, path: string): RequestDifference | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    return firstOf(left, right, (index) => `${path}[${index}]`);
  }
  if (isRecord(left) && isRecord(right)) {
    return firstOf(left, right, (name) => (path === '' ? name : `${path}.${name}`));
  }
  if (typeof left === 'string' && typeof right === 'string') return differInText(left, right, path);
  return Object.is(left, right) ? undefined : { path, recorded: shown(left), asked: shown(right) };
}

function firstOf(
  left: object,
  right: object,
  pathOf: (name: string) => string,
): RequestDifference | undefined {
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const sides = [left, right].map((side) => (side as Record<string, unknown>)[name]);
    const found = differ(sides[0], sides[1], pathOf(name));
    if (found) return found;
  }
  return undefined;
}

/** A few characters around the first that differs. */
function differInText(left: string, right: string, path: string): RequestDifference | undefined {
  if (left === right) return undefined;
  let index = 0;
  while (left[index] === right[index] && index < left.length) index++;
  const start = Math.max(0, index - AROUND);
  const cut = (text: string) => {
    const before = start > 0 ? '…' : '';
    const after = text.length > index + AROUND ? '…' : '';
    return `${before}${text.slice(start, index + AROUND)}${after}`.toWellFormed();
  };
  return { path: `${path} (character ${index})`, recorded: cut(left), asked: cut(right) };
}

/** Characters before and after the first difference. */
const AROUND = 30;

function shown(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = JSON.stringify(value);
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…`.toWellFormed() : text;
}

/** How many characters two texts have in common at their beginning. */
export function commonLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  return index;
}
