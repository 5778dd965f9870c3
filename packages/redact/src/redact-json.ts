import { marker, readingsOf } from './marks.ts';
import { namedSecret } from './named.ts';
import { MARKS, redact, redactArguments } from './redact.ts';

export interface RedactJsonOptions {
  /** Objects and arrays that stay as they are, whatever is in them: signed or encrypted blocks, pictures. @default none */
  readonly skip?: ((value: object) => boolean) | undefined;
}

/**
 * Redacts every text inside of a JSON value, and the values of fields whose names say that they hold a secret, such as
 * `password`. What holds no secret is the same reference, the whole value included. A text that is JSON itself is
 * redacted as the text it is. Nesting costs no stack.
 *
 * @throws TypeError for a value with a field that cannot be read, e.g. a getter that throws
 */
export function redactJson<Value>(value: Value, options: RedactJsonOptions = {}): Value {
  try {
    return redactValue(value, options) as Value;
  } catch (cause) {
    if (canBeRead(value)) throw cause;
    throw new TypeError('Expected `value` to be plain JSON, got a field that cannot be read.', {
      cause,
    });
  }
}

function canBeRead(root: unknown): boolean {
  const seen = new Set<unknown>([root]);
  try {
    for (const value of seen) {
      if (isContainer(value)) for (const inner of Object.values(value)) seen.add(inner);
    }
    return true;
  } catch {
    return false;
  }
}

interface Frame {
  readonly source: object;
  readonly keys: readonly string[];
  readonly parent: Frame | undefined;
  readonly key: string;
  /** What is left of the arguments of a command. */
  readonly list: readonly string[] | undefined;
  next: number;
  copy: Record<string, unknown> | unknown[] | undefined;
}

function redactValue(value: unknown, { skip = () => false }: RedactJsonOptions): unknown {
  if (!isContainer(value)) return redactLeaf(value, undefined);
  if (skip(value)) return value;
  const root = frameOf(value, undefined, '');
  const seen = new Set<object>([value]);
  let frame: Frame | undefined = root;
  while (frame !== undefined) {
    const key = frame.keys[frame.next++];
    if (key === undefined) {
      seen.delete(frame.source);
      if (frame.copy !== undefined && frame.parent) put(frame.parent, frame.key, frame.copy);
      frame = frame.parent;
      continue;
    }
    const given = (frame.source as Record<string, unknown>)[key];
    const inner = frame.list?.[Number(key)] ?? given;
    if (isContainer(inner)) {
      if (seen.has(inner) || skip(inner)) continue; // a circle is no JSON; it stays as it is
      seen.add(inner);
      frame = frameOf(inner, frame, key);
      continue;
    }
    const isList = Array.isArray(frame.source);
    const own = redactLeaf(inner, isList ? frame.key : key);
    const redacted = redactPaired(own, nameBeside(frame, key));
    if (!Object.is(redacted, given)) put(frame, key, redacted);
  }
  return root.copy ?? value;
}

const frameOf = (source: object, parent: Frame | undefined, key: string): Frame => ({
  source,
  keys: Object.keys(source),
  parent,
  key,
  next: 0,
  copy: undefined,
  list: Array.isArray(source) ? argumentsOf(source, parent) : undefined,
});

/** A list of texts is looked at as a command as well; its name may stand beside it. */
function argumentsOf(
  list: readonly unknown[],
  parent: Frame | undefined,
): readonly string[] | undefined {
  if (!list.every((each) => typeof each === 'string')) return undefined;
  const programs = programsBeside(parent);
  if (programs.length === 0) return redactArguments(list);
  return programs.reduce<readonly string[]>(
    (each, program) => redactArguments(each, program),
    list,
  );
}

/** Each of them may be the program: one field may name the tool or the way it is run. */
function programsBeside(parent: Frame | undefined): readonly string[] {
  if (parent === undefined || Array.isArray(parent.source)) return [];
  const { command, program, cmd } = parent.source as Readonly<Record<string, unknown>>;
  return [command, program, cmd].filter((name) => typeof name === 'string');
}

function put(frame: Frame, key: string, value: unknown): void {
  frame.copy ??= Array.isArray(frame.source) ? [...frame.source] : { ...frame.source };
  Object.defineProperty(frame.copy, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || PLAIN.includes(Object.getPrototypeOf(value)));

const PLAIN: readonly unknown[] = [Object.prototype, null];

const NAME_FIELD = /^(?:name|key|variable|header|field)$/i;
const VALUE_FIELD = /^(?:value|val|default)$/i;

/** What a field beside it, or the flag in front of it in a list of arguments, says of a value. */
function nameBeside({ source, keys }: Frame, key: string): string | undefined {
  if (Array.isArray(source)) {
    const before: unknown = source[Number(key) - 1];
    return typeof before === 'string' && FLAG.test(before) ? before : undefined;
  }
  if (keys.length > MOST_FIELDS || !VALUE_FIELD.test(key)) return undefined;
  for (const other of keys) {
    const name = NAME_FIELD.test(other) && (source as Record<string, unknown>)[other];
    if (typeof name === 'string') return name;
  }
  return undefined;
}

const FLAG = /^--[a-z][a-z0-9-]{2,60}$/i;
const MOST_FIELDS = 64;

function redactPaired(value: unknown, name: string | undefined): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  if (name === undefined || name.length > LONGEST_NAME || text.length > LONGEST_VALUE) return value;
  for (const reading of readingsOf(MARKS.mask(text))) {
    const kind = namedSecret(name, reading);
    if (kind !== false) return marker(kind);
  }
  return value;
}

/** A field is read as the text it would be in JSON, so that both have one rule; the whole value goes then. */
function redactLeaf(value: unknown, name: string | undefined): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const inside = typeof value === 'string' ? redact(value) : value;
  if (name === undefined || !NAME.test(name)) return inside;
  if (name.length > LONGEST_NAME || String(inside).length > LONGEST_VALUE) return inside;
  const given = JSON.stringify(String(inside));
  const field = redact(`${JSON.stringify(name)}: ${given}`);
  return field.endsWith(given) ? inside : (MARKS.lastIn(field) ?? inside);
}

const LONGEST_NAME = 128;
const LONGEST_VALUE = 8_192;

/** A quick look at what a name has to hold before the rules of a text are asked. */
const NAME = /pass|pw|secret|token|key|credential|cookie|auth|_pat|signature/i;
