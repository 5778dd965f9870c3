import { cutText } from '@varve/messages/text';
import { callSubject, type ToolCall } from '@varve/messages/tools';

/** A text on one line, cut with an ellipsis where it is longer than so many characters. */
export function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${cutText(line, length - 1)}…` : line;
}

/** The last part of a path. */
export function nameOfFile(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}

/** UTF-16 units. */
const MAX_SUBJECT = 300;

/** What a call is known by when it comes again: its command, its tool and files, else its tool. */
export function subjectOf(call: ToolCall): string {
  const about = callSubject(call);
  return oneLine(call.kind === 'shell' ? about : `${call.name} ${about}`, MAX_SUBJECT);
}
