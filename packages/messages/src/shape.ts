import { type Fields, isRecord } from '@varve/guards';

/** What is wrong, and where below the value that was looked at: `.content[2].type`. */
export interface Fault {
  readonly at: string;
  readonly expected: string;
}

/** Looks at a value that came from `JSON.parse`; undefined when it has the shape. */
export type Shape = (value: unknown) => Fault | undefined;

/** A shape that any value passing `test` has. */
export function matching(expected: string, test: (value: unknown) => boolean): Shape {
  const fault: Fault = { at: '', expected };
  return (value) => (test(value) ? undefined : fault);
}

export const text = matching('a string', (value) => typeof value === 'string');
// JSON can spell numbers that no double holds (1e999); written again they would be null.
export const number = matching('a finite number', Number.isFinite);
export const boolean = matching('a boolean', (value) => typeof value === 'boolean');
export const anything = matching('a value', (value) => value !== undefined);
export const index = matching(
  'a non-negative integer',
  (value) => Number.isInteger(value) && (value as number) >= 0,
);

export function oneOf(...values: readonly string[]): Shape {
  return matching(`one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

export const record = matching('an object', isRecord);

/** What is wrong with a part of a value, told from the whole. */
export const within = (place: string, fault: Fault | undefined): Fault | undefined =>
  fault && { ...fault, at: `${place}${fault.at}` };

/** An object with these fields, and any others. What runs for every line of a log asks for its fields by name instead: a third of the time. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const names = Object.keys(shapes);
  const inOrder = Object.values(shapes);
  return (value) => {
    const fault = record(value);
    if (fault) return fault;
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as string;
      const inner = (inOrder[at] as Shape)((value as Fields)[name]);
      if (inner) return within(`.${name}`, inner);
    }
    return undefined;
  };
}

export function list(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return { at: '', expected: 'a list' };
    // no `entries()`: this runs for every block of every line of a log
    for (let position = 0; position < value.length; position++) {
      const inner = shape(value[position]);
      if (inner) return within(`[${position}]`, inner);
    }
    return undefined;
  };
}

export const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? undefined : shape(value);

export const nullable =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? undefined : shape(value);

/** An object whose field `name` says which other fields it has; `otherwise` for a value that is not listed. */
export function choice(
  name: string,
  shapes: ReadonlyMap<string, (value: Fields) => Fault | undefined>,
  otherwise?: Shape,
): Shape {
  const named = fields({ [name]: otherwise ? text : oneOf(...shapes.keys()) });
  return (value) => {
    // the listed ones first: this runs for every block of every line of a log
    const listed = record(value) ? undefined : shapes.get((value as Fields)[name] as string);
    return listed === undefined ? (named(value) ?? otherwise?.(value)) : listed(value as Fields);
  };
}
