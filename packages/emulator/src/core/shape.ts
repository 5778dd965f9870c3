/** What is wrong with a value, and where in it. */
import { isRecord } from '@varve/guards';
export interface ShapeProblem {
  readonly path: readonly (string | number)[];
  readonly kind: 'missing' | 'type' | 'value';
  /** Names of the types, or for `value` the values there are. */
  readonly expected: readonly string[];
  readonly found: unknown;
}

/** Looks at one value; undefined where it is as it should be. */
export type Shape = (value: unknown) => ShapeProblem | undefined;

export type TypeName = 'string' | 'boolean' | 'number' | 'integer' | 'object' | 'array';

const typed =
  (expected: TypeName, isOne: (value: unknown) => boolean): Shape =>
  (found) =>
    isOne(found) ? undefined : { path: [], kind: 'type', expected: [expected], found };

export const text = typed('string', (value) => typeof value === 'string');
export const flag = typed('boolean', (value) => typeof value === 'boolean');
export const integer = typed('integer', Number.isInteger);
export const record = typed('object', isRecord);
const array = typed('array', Array.isArray);

export const oneOf =
  (...values: readonly string[]): Shape =>
  (found) =>
    values.includes(found as string)
      ? undefined
      : { path: [], kind: 'value', expected: values, found };

export const list =
  (item: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return array(value);
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index]);
      if (problem) return { ...problem, path: [index, ...problem.path] };
    }
    return undefined;
  };

/** A value of any of these shapes. What is wrong is told of the one that fits best, or of all where none fits at all. */
export const either =
  (...shapes: readonly Shape[]): Shape =>
  (found) => {
    const problems: ShapeProblem[] = [];
    for (const shape of shapes) {
      const problem = shape(found);
      if (problem === undefined) return undefined;
      if (problem.path.length > 0) return problem;
      problems.push(problem);
    }
    return {
      path: [],
      kind: 'type',
      expected: problems.flatMap(({ expected }) => expected),
      found,
    };
  };

/** An object with these fields. A name with `?` may be missing or null; fields that are not named are not looked at. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(shapes).map(([key, shape]) => ({
    name: key.replace('?', ''),
    isOptional: key.endsWith('?'),
    shape,
  }));
  return (value) => {
    if (!isRecord(value)) return record(value);
    for (const { name, isOptional, shape } of entries) {
      const found = value[name];
      if (isOptional && found == null) continue;
      if (found === undefined) return { path: [name], kind: 'missing', expected: [], found };
      const problem = shape(found);
      if (problem) return { ...problem, path: [name, ...problem.path] };
    }
    return undefined;
  };
}

/** An object whose field `tag` says which of the shapes it has. */
export function tagged(tag: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const known = oneOf(...Object.keys(shapes));
  return (value) => {
    if (!isRecord(value)) return record(value);
    const name = value[tag];
    if (name === undefined) return { path: [tag], kind: 'missing', expected: [], found: name };
    const problem = known(name);
    return problem ? { ...problem, path: [tag] } : (shapes[name as string] as Shape)(value);
  };
}
