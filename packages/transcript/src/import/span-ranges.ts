import type { SpanItem } from './items.ts';

/** A message of the log as spans see it. */
export interface LoggedId {
  readonly id: string;
  /** A result: it stands in one round with the message before it. */
  readonly joins: boolean;
  readonly role: string;
}

/** Positions among the logged messages, half open. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The messages logged so far, in order, and where each stands. */
export interface Logged {
  readonly messages: readonly LoggedId[];
  readonly positions: ReadonlyMap<string, number>;
}

/** The ranges that go: before and after the kept run, as far as they hold a message; whole rounds stay. */
export function rangesOf(logged: Logged, { keep, dropFromId }: SpanItem): Range[] {
  const end = logged.messages.length;
  const start = dropFromId === undefined ? 0 : roundStart(logged, dropFromId);
  if (keep === undefined) return start < end ? [{ start, end }] : [];
  const keepStart = roundStart(logged, keep.fromId);
  const keepEnd = keep.toId === undefined ? end : roundEnd(logged, keep.toId);
  const ranges = [
    { start, end: keepStart },
    { start: Math.max(keepStart, keepEnd), end },
  ];
  return ranges.filter((range) => range.start < range.end);
}

/** The end of the log where there is no such message. */
function roundStart({ messages, positions }: Logged, id: string): number {
  let index = positions.get(id) ?? messages.length;
  while (index > 0 && messages[index]?.joins) index -= 1;
  return index;
}

function roundEnd({ messages, positions }: Logged, id: string): number {
  let index = positions.get(id) ?? messages.length;
  do index += 1;
  while (messages[index]?.joins);
  return Math.min(index, messages.length);
}
