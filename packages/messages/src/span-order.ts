import type { EditNode, Span } from './edit-node.ts';
import { MessagesError } from './error.ts';
import type { Group } from './group.ts';
import type { ViewMessage } from './types.ts';

/**
 * The spans that lie in no other, in the order of the view. Of two equal spans the later one is the outer.
 *
 * @throws MessagesError `crossing-span`
 */
export function outermostSpans(edits: Iterable<EditNode>): Span[] {
  const outermost: Span[] = [];
  const around: Span[] = [];
  for (const span of liveSpans(edits)) {
    while (around.length > 0 && (around.at(-1) as Span).to < span.from) around.pop();
    const outer = around.at(-1);
    if (outer && span.to > outer.to) {
      throw new MessagesError('crossing-span', 'Two spans overlap and neither holds the other.');
    }
    if (!outer) outermost.push(span);
    around.push(span);
  }
  return outermost;
}

function liveSpans(edits: Iterable<EditNode>): Span[] {
  const live = [...edits].filter(({ live, span }) => live && span);
  live.sort(
    (a, b) =>
      (a.span as Span).from - (b.span as Span).from ||
      (b.span as Span).to - (a.span as Span).to ||
      b.order - a.order,
  );
  return live.map(({ span }) => span as Span);
}

/** The messages of the view: groups in order, with what stands for a span in its place. Reads no content. */
export function arrange(groups: readonly Group<EditNode>[], spans: readonly Span[]): ViewMessage[] {
  const messages: ViewMessage[] = [];
  let next = 0;
  for (const group of groups) {
    while (next < spans.length && (spans[next] as Span).to < group.place) next++;
    const span = spans[next];
    if (span && span.from <= group.place) {
      if (span.from === group.place) pushViews(messages, span.with);
    } else if (group.owner?.live !== false) {
      messages.push(...group.view);
    }
  }
  return messages;
}

function pushViews(messages: ViewMessage[], groups: readonly Group[]): void {
  for (const { view } of groups) messages.push(...view);
}
