import { type Found, MARKER_START } from './kind.ts';

/** A quote as it stands in source, and inside of JSON inside of JSON. */
export const QUOTE = `\\\\{0,15}["'\`]`;

/**
 * A value in quotes, or without them up to what ends it. The closing quote is left out of it, so that what was JSON stays
 * JSON.
 */
export const VALUE = `(?:(?<quote>${QUOTE})(?<quoted>(?:(?!\\k<quote>)(?:\\\\[^\\r\\n]|[^\\\\\\r\\n])){1,4096})(?=\\k<quote>)|(?<bare>[^\\s"'\`;,&|<>(){}\\\\]{1,4096}))`;

export const valueIn = ({ groups }: Found): string => groups.quoted ?? groups.bare ?? '';

/** A value, and not a reference to one, a placeholder or what was redacted already. */
export function isValue(value: string): boolean {
  if (value.includes(MARKER_START)) return false;
  if (/^(?:[$%<{]|\[|\.\.\.|…|@|#\{|\\\()/.test(value) || /\$\{|\{\{|\$\(|<[a-z_ -]+>/i.test(value))
    return false;
  if (/^(.)\1*$/.test(value) && /^[*x.•_#?X-]/.test(value)) return false;
  if (/^(?:process\.env|os\.environ|import\.meta|secrets\.|env\.|vars\.)/.test(value)) return false;
  return !NO_VALUES.has(value.toLowerCase());
}

const NO_VALUES: ReadonlySet<string> = new Set(
  (
    'true false null none nil undefined yes no on off string str text number int integer bool boolean bytes any ' +
    'unknown object optional required password passwd secret token input output hidden prompt file stdin env ' +
    'environment inherit value void never default self this'
  ).split(' '),
);
