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

/** Whether two ranges overlap and neither holds the other. */
export const crosses = (one: Range, other: Range): boolean =>
  (one.start < other.start && other.start < one.end && one.end < other.end) ||
  (other.start < one.start && one.start < other.end && other.end < one.end);

/** A range that gives way to messages of these roles. */
export interface LiveSpan extends Range {
  readonly roles: readonly string[];
}

/** The role of the first message that the spans leave visible; undefined where none is. */
export function firstVisible(
  logged: readonly LoggedId[],
  spans: readonly LiveSpan[],
): string | undefined {
  for (let position = 0; position < logged.length; ) {
    const outer = spans
      .filter(({ start }) => start === position)
      .reduce<LiveSpan | undefined>(
        (widest, span) => (widest && widest.end > span.end ? widest : span),
        undefined,
      );
    if (outer === undefined) return logged[position]?.role;
    if (outer.roles.length > 0) return outer.roles[0];
    position = outer.end;
  }
  return undefined;
}

/** The ranges that go: before and after the kept run, as far as they hold a message; whole rounds stay. */
export function rangesOf(logged: readonly LoggedId[], { keep, dropFromId }: SpanItem): Range[] {
  const end = logged.length;
  const ranges: Range[] = [];
  if (dropFromId !== undefined) ranges.push({ start: roundStart(logged, dropFromId, end), end });
  else if (keep === undefined) ranges.push({ start: 0, end });
  else {
    const keepStart = roundStart(logged, keep.fromId, end);
    const keepEnd = keep.toId === undefined ? end : roundEnd(logged, keep.toId);
    ranges.push({ start: 0, end: keepStart }, { start: Math.max(keepStart, keepEnd), end });
  }
  return ranges.filter((range) => range.start < range.end);
}

/** `missing` where there is no such message. */
function roundStart(logged: readonly LoggedId[], id: string, missing: number): number {
  let index = logged.findIndex((message) => message.id === id);
  if (index < 0) return missing;
  while (index > 0 && logged[index]?.joins) index -= 1;
  return index;
}

function roundEnd(logged: readonly LoggedId[], id: string): number {
  let index = logged.findIndex((message) => message.id === id);
  if (index < 0) return logged.length;
  do index += 1;
  while (logged[index]?.joins);
  return index;
}
