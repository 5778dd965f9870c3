import type { Block, Message } from '@varve/messages';
import { forEachBlockText } from './shown-text.ts';
import { forEachUnit } from './units.ts';

/** Numbers the units of a session and tells which of them an object shows; each block is read once. */
export interface UnitIndex {
  /** How many units there are; ids count from 0. */
  readonly size: number;
  idOf(unit: string): number | undefined;
  /** Ids of the units in a block or a message, each once. The object is taken to be immutable. */
  unitsOf(shown: Shown): readonly number[];
}

/** What a request is made of, as far as units can stand in it. */
export type Shown = Message | Block;

/** Creates an index of the given units; everything else in a text is passed over. */
export function createUnitIndex(units: Iterable<string>): UnitIndex {
  const ids = new Map<string, number>();
  for (const unit of units) if (!ids.has(unit)) ids.set(unit, ids.size);
  const known = new WeakMap<Shown, readonly number[]>();
  const inText = createReader(ids);
  const ofBlock = (block: Block): readonly number[] => {
    const found = new Set<number>();
    forEachBlockText(block, (text) => {
      for (const unit of inText(text)) found.add(unit);
    });
    return [...found];
  };
  const unitsOf = (shown: Shown): readonly number[] => {
    const found = known.get(shown) ?? (isMessage(shown) ? ofMessage(shown) : ofBlock(shown));
    known.set(shown, found);
    return found;
  };
  const ofMessage = ({ content }: Message): readonly number[] =>
    content.length === 1 ? unitsOf(content[0] as Block) : [...new Set(content.flatMap(unitsOf))];
  return { size: ids.size, idOf: (unit) => ids.get(unit), unitsOf };
}

const isMessage = (shown: Shown): shown is Message => 'role' in shown;

/** Reads texts; a long one that was read in another block, such as a copy of a strategy's, is not read again. */
function createReader(ids: ReadonlyMap<string, number>): (text: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  const read = (text: string): readonly number[] => {
    const found = new Set<number>();
    forEachUnit(text, (unit) => {
      const id = ids.get(unit);
      if (id !== undefined) found.add(id);
    });
    return [...found];
  };
  return (text) => {
    if (text.length < LONG) return read(text);
    const found = known.get(text) ?? read(text);
    known.set(text, found);
    return found;
  };
}

/** Characters. */
const LONG = 200;
