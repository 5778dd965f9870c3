import type { LoggedId, Range } from './span-ranges.ts';

/** A range that gives way to messages of these roles. */
export interface LiveSpan extends Range {
  readonly entryId: string;
  readonly roles: readonly string[];
}

/** A span and those that it hides: they come back when it is taken back. */
interface Outer extends LiveSpan {
  readonly inner: readonly Outer[];
}

/** The spans that hold in a log: they nest or are disjoint, and the outermost are what is seen. */
export function createLiveSpans() {
  /** Disjoint, in log order. */
  const outer: Outer[] = [];

  /** Half-open positions in `outer`; searched from the end, where most of what happens happens. */
  function overlapping(range: Range): Range {
    let end = outer.length;
    while (end > 0 && (outer[end - 1] as Outer).start >= range.end) end--;
    let start = end;
    while (start > 0 && (outer[start - 1] as Outer).end > range.start) start--;
    return { start, end };
  }

  return {
    /** One that a new range would cross or be hidden by: it has to be taken back before that is added. */
    against(range: Range): LiveSpan | undefined {
      const { start, end } = overlapping(range);
      return outer.slice(start, end).find((span) => !holds(range, span));
    },
    add(span: LiveSpan): void {
      const { start, end } = overlapping(span);
      const inner = outer.slice(start, end);
      outer.splice(start, inner.length, { ...span, inner });
    },
    remove(entryId: string): void {
      const index = outer.findLastIndex((span) => span.entryId === entryId);
      const span = outer[index];
      if (span !== undefined) outer.splice(index, 1, ...span.inner);
    },
    /** The role of the first message that the spans leave visible; undefined where none is. */
    firstRole(messages: readonly LoggedId[]): string | undefined {
      let position = 0;
      for (const span of outer) {
        if (span.start > position) break;
        if (span.roles.length > 0) return span.roles[0];
        position = span.end;
      }
      return messages[position]?.role;
    },
  };
}

const holds = (one: Range, other: Range): boolean =>
  one.start <= other.start && other.end <= one.end;
