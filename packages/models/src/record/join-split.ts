import type { ModelEvent } from '../types.ts';

type Delta = Extract<ModelEvent, { type: 'text-delta' | 'thinking-delta' | 'input-delta' }>;

/**
 * A secret may be split between events, none of which shows it. Where redacting the pieces leaves something else than
 * redacting their whole, the deltas of the block become one.
 */
export function joinSplit(
  events: readonly ModelEvent[],
  redact: (text: string) => string,
): readonly ModelEvent[] {
  const blocks = new Map<number, { text: string; redacted: string }>();
  for (const event of events.filter(isDelta)) {
    const { text, redacted } = blocks.get(event.index) ?? { text: '', redacted: '' };
    const piece = textOf(event);
    blocks.set(event.index, { text: text + piece, redacted: redacted + redact(piece) });
  }
  const split = [...blocks].filter(([, { text, redacted }]) => redact(text) !== redacted);
  const left = new Map(split.map(([index, { text }]) => [index, text]));
  const joined = new Set(left.keys());
  return events.flatMap((event): ModelEvent[] => {
    if (!isDelta(event) || !joined.has(event.index)) return [event];
    const text = left.get(event.index);
    left.delete(event.index);
    return text === undefined ? [] : [withText(event, text)];
  });
}

const isDelta = (event: ModelEvent): event is Delta => event.type.endsWith('-delta');

const textOf = (event: Delta): string => (event.type === 'input-delta' ? event.json : event.text);

const withText = (event: Delta, text: string): Delta =>
  event.type === 'input-delta' ? { ...event, json: text } : { ...event, text };
