import { isRecord } from '@varve/guards';
import { isCallLike } from './guards.ts';
import type { Block } from './types.ts';

/** Whether a call's input is an object once it is written: a `Date`, or a class with `toJSON`, may be written as a text. */
export function isObjectInput(input: unknown): boolean {
  if (!isRecord(input)) return false;
  const prototype: unknown = Object.getPrototypeOf(input);
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain && typeof input.toJSON !== 'function' ? true : isRecord(written(input));
}

/** A call whose input is no object, as a stream that was cut short or another provider leaves it, in a form that any provider takes. */
export function withObjectInput<B extends Block>(block: B): B {
  const { input } = block as { readonly input?: unknown };
  if (!isCallLike(block) || isObjectInput(input)) return block;
  const plain = isRecord(input) ? written(input) : input;
  return { ...block, input: parsedObject(plain) ?? { input: plain ?? null } };
}

/** As JSON has it. What cannot be written stays: whoever writes it refuses it. */
function written(value: object): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return value;
  }
}

function parsedObject(input: unknown): unknown {
  if (typeof input !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined; // a text that is no JSON stays the text that it is
  }
}
