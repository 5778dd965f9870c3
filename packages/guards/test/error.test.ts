import { expect, test } from 'vitest';
import { VarveError } from '../src/index.ts';

class ShelfError extends VarveError<'damaged' | 'full'> {
  override get name() {
    return 'ShelfError' as const;
  }
  static override is(value: unknown): value is ShelfError {
    return VarveError.is(value, 'ShelfError');
  }
}

class OtherError extends VarveError<'full'> {
  override get name() {
    return 'OtherError' as const;
  }
  static override is(value: unknown): value is OtherError {
    return VarveError.is(value, 'OtherError');
  }
}

test('an error has its code, its cause, its name, also in its stack', () => {
  const cause = new Error('inner');
  const error = new ShelfError('full', 'The shelf is full; remove something.', { cause });
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.cause]).toEqual(['ShelfError', 'full', cause]);
  expect(error.stack).toMatch(/^ShelfError: The shelf is full; remove something\.\n/);
  expect('cause' in new ShelfError('full', 'x')).toBe(false);
  expect('cause' in new ShelfError('full', 'x', { cause: undefined })).toBe(false);
});

test('`is` knows its own class alone, that of the base every one', () => {
  const error = new ShelfError('full', 'x');
  const values = [error, new OtherError('full', 'x'), new Error('x'), { name: 'ShelfError' }];
  expect([...values, null, undefined, 'ShelfError'].map((value) => ShelfError.is(value))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(values.map((value) => VarveError.is(value))).toEqual([true, true, false, false]);
});

test('`is` works as a callback, and for an error of another copy of the package', () => {
  const foreign = Object.assign(new Error('x'), {
    name: 'ShelfError',
    [Symbol.for('@varve/guards/error')]: true,
  });
  const unmarked = { name: 'ShelfError', [Symbol.for('@varve/guards/error')]: false };
  expect(ShelfError.is(unmarked)).toBe(false);
  expect([foreign, new OtherError('full', 'x')].filter(ShelfError.is)).toEqual([foreign]);
});
