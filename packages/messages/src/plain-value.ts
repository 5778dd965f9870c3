import { MessagesError } from './error.ts';

/**
 * Shows `visit` every value inside a value, keys included, without recursion, until it returns true; says whether it did.
 * A large value is begun again, after `restart` was called, to find out whether it holds itself.
 *
 * @throws MessagesError `not-serializable` for a value that holds itself, one nested deeper than engines write, and a getter
 * that throws
 */
export function walk(
  root: unknown,
  visit: (value: unknown) => boolean,
  restart?: () => void,
): boolean {
  // Most values are small: what has to be remembered to find a cycle costs more than to look at all of them.
  const pending: unknown[] = [root];
  for (let seen = 0; pending.length > 0; seen++) {
    if (seen > FEW) {
      restart?.();
      return walkCarefully(root, visit);
    }
    const value = pending.pop();
    if (visit(value)) return true;
    pushMembers(value, pending);
  }
  return false;
}

/**
 * Runs what reads a value. Where that fails over a value that is no plain JSON, this says so: one that holds itself or a
 * BigInt, that is nested too deeply, or whose getter or `toJSON` throws. Costs nothing where it does not fail.
 *
 * @throws MessagesError `not-serializable`, else what `run` throws
 */
export function readPlain<T>(value: unknown, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    walk(value, (inside) => {
      if (typeof inside === 'bigint') throw notPlain('is a BigInt', cause);
      return false;
    });
    if (cause instanceof RangeError) throw notPlain('is nested too deeply', cause);
    if (!canBeWritten(value)) throw notPlain('cannot be written as JSON', cause);
    throw cause;
  }
}

function canBeWritten(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** Values. */
const FEW = 5_000;

/** Levels; `JSON.stringify` gives up before. */
const MAX_DEPTH = 50_000;

function walkCarefully(root: unknown, visit: (value: unknown) => boolean): boolean {
  const path = new Set<object>();
  const done = new Set<object>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value instanceof Left) {
      path.delete(value.object);
      done.add(value.object);
      continue;
    }
    if (visit(value)) return true;
    if (typeof value !== 'object' || value === null || done.has(value)) continue;
    if (path.has(value)) throw notPlain('holds itself');
    if (path.size >= MAX_DEPTH) throw notPlain('is nested too deeply');
    path.add(value);
    pending.push(new Left(value));
    pushMembers(value, pending);
  }
  return false;
}

/** Stands behind the members of an object: everything inside it was seen. */
class Left {
  readonly object: object;
  constructor(object: object) {
    this.object = object;
  }
}

function pushMembers(value: unknown, pending: unknown[]): void {
  if (typeof value !== 'object' || value === null) return;
  try {
    const isList = Array.isArray(value);
    for (const key in value) {
      if (!isList) pending.push(key);
      pending.push((value as Record<string, unknown>)[key]);
    }
  } catch (cause) {
    throw notPlain('cannot be read', cause);
  }
}

const notPlain = (what: string, cause?: unknown): MessagesError =>
  new MessagesError(
    'not-serializable',
    `A value in the messages ${what}, so that no request can carry it. Pass plain JSON.`,
    { cause },
  );
