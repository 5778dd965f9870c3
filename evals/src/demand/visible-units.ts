import type { Request } from '@varve/messages';
import type { Shown, UnitIndex } from './unit-index.ts';

/** Which units stand in the newest request. */
export interface VisibleUnits {
  /** Takes the next request; only objects that the last one did not hold, or this one no longer holds, are looked at. */
  show(request: Request): ShownChange;
  has(unit: number): boolean;
}

/** What a request holds that the one before did not, and the reverse. */
export interface ShownChange {
  readonly entered: readonly Shown[];
  readonly left: readonly Shown[];
}

/** Creates an empty set; feed it every request in order. */
export function createVisibleUnits(index: UnitIndex): VisibleUnits {
  const counts = new Int32Array(index.size);
  let last: readonly Shown[] = [];
  return {
    show({ head, messages }) {
      const next: readonly Shown[] = [...head.system, ...messages];
      const change = difference(last, next);
      for (const shown of change.entered) {
        for (const unit of index.unitsOf(shown)) counts[unit] = (counts[unit] ?? 0) + 1;
      }
      for (const shown of change.left) {
        for (const unit of index.unitsOf(shown)) counts[unit] = (counts[unit] ?? 0) - 1;
      }
      last = next;
      return change;
    },
    has: (unit) => (counts[unit] ?? 0) > 0,
  };
}

function difference(last: readonly Shown[], next: readonly Shown[]): ShownChange {
  let start = 0;
  while (start < last.length && start < next.length && last[start] === next[start]) start++;
  const balance = new Map<Shown, number>();
  for (let at = start; at < next.length; at++) count(balance, next[at] as Shown, 1);
  for (let at = start; at < last.length; at++) count(balance, last[at] as Shown, -1);
  const entered: Shown[] = [];
  const left: Shown[] = [];
  for (const [shown, times] of balance) {
    for (let each = times; each > 0; each--) entered.push(shown);
    for (let each = times; each < 0; each++) left.push(shown);
  }
  return { entered, left };
}

function count(balance: Map<Shown, number>, shown: Shown, by: number): void {
  balance.set(shown, (balance.get(shown) ?? 0) + by);
}
