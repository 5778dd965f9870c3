/** Freezes a JSON value at every depth, in place, and returns it; what is frozen already is not walked again. */
export function deepFreeze<Value>(value: Value): Value {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) pending.push(inner);
  }
  return value;
}
