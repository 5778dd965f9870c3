import type { Message, TextBlock } from '@varve/messages';
import { forEachShownText } from './shown-text.ts';
import { forEachUnit } from './units.ts';

/** What a request is made of, as far as units can stand in it. */
export type Shown = Message | TextBlock;

/** Numbers the units of a session and tells which of them an object shows; each object is read once. */
export interface UnitIndex {
  /** How many units there are; ids count from 0. */
  readonly size: number;
  idOf(unit: string): number | undefined;
  /** Ids of the units in a message or a system block, each once. The object is taken to be immutable. */
  unitsOf(shown: Shown): readonly number[];
}

/** Creates an index of the given units; everything else in a text is passed over. */
export function createUnitIndex(units: Iterable<string>): UnitIndex {
  const ids = new Map<string, number>();
  for (const unit of units) if (!ids.has(unit)) ids.set(unit, ids.size);
  const known = new WeakMap<Shown, readonly number[]>();
  return {
    size: ids.size,
    idOf: (unit) => ids.get(unit),
    unitsOf(shown) {
      const found = known.get(shown) ?? readUnits(shown, ids);
      known.set(shown, found);
      return found;
    },
  };
}

function readUnits(shown: Shown, ids: ReadonlyMap<string, number>): readonly number[] {
  const found = new Set<number>();
  const visit = (unit: string) => {
    const id = ids.get(unit);
    if (id !== undefined) found.add(id);
  };
  const read = (text: string) => forEachUnit(text, visit);
  if ('role' in shown && 'content' in shown) forEachShownText(shown as Message, read);
  else read((shown as TextBlock).text);
  return [...found];
}
