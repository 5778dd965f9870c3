import { isRecord } from '@varve/guards';
import type { Entry } from '@varve/messages';
import { redactJson } from '@varve/redact';

/** Takes secrets out of what comes into a conversation; the same reference where there are none. */
export type Enter = <Value>(value: Value) => Value;

/** What is done about secrets at each door of a conversation. */
export interface Doors {
  /** To content: of persons, tools and models, heads, and what a model is asked for a summary. */
  readonly enter: Enter;
  /** To an entry that is no message of theirs, as it will be written: a note, an edit. */
  readonly log: <E extends Entry>(entry: E) => E;
}

export function doorsOf(redact: 'derived' | 'on-entry' | false = 'derived'): Doors {
  if (redact === false) return { enter: asItIs, log: asItIs };
  if (redact === 'derived') return { enter: asItIs, log: withoutSecrets };
  return { enter: enterRedacted, log: enterRedacted };
}

const asItIs: Enter = (value) => value;

/** A note is made of a conversation, and so is what an edit says of itself; what it puts in place is what was said. */
function withoutSecrets<E extends Entry>(entry: E): E {
  if (entry.type === 'note') return enterRedacted(entry);
  if (entry.type !== 'edit') return entry;
  const { edit, ...said } = entry;
  const redacted = enterRedacted(said);
  return redacted === said ? entry : ({ ...redacted, edit } as E);
}

/**
 * What is replaced before it is stored or appended. Bytes that are text become text where they hold a secret. Signed and
 * encrypted blocks, and the data of media, stay: a provider takes them back unchanged or not at all.
 */
const enterRedacted: Enter = <Value>(value: Value): Value => {
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
