import { isRecord } from '@varve/guards';
import { redactJson } from '@varve/redact';

/** Takes secrets out of what comes into a conversation; the same reference where there are none. */
export type Enter = <Value>(value: Value) => Value;

/** Nothing is taken out. */
export const enterAsItIs: Enter = (value) => value;

/**
 * What is replaced before it is stored or appended. Bytes that are text become text where they hold a secret. Signed and
 * encrypted blocks, and the data of media, stay: a provider takes them back unchanged or not at all.
 */
export const enterRedacted: Enter = <Value>(value: Value): Value => {
  if (!(value instanceof Uint8Array)) return redactJson(value, { skip: isOpaque });
  const text = textOf(value);
  const redacted = text === undefined ? undefined : redactJson(text);
  return redacted === text ? value : (redacted as Value);
};

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined; // no text, and what is none holds no secret that could be told
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true });

const isOpaque = (value: object): boolean =>
  isRecord(value) && (OPAQUE.includes(value.type) || typeof value.encrypted_content === 'string');

const OPAQUE: readonly unknown[] = [
  'thinking',
  'redacted_thinking',
  'reasoning',
  'compaction',
  'image',
  'base64',
];
