import { cutText } from '@varve/messages/text';
import { callSubject, type ToolCall } from '@varve/messages/tools';

/** A text on one line, cut with an ellipsis where it is longer than so many characters. */
export function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${cutText(line, length - 1)}…` : line;
}

/** The same, cut where no name is cut: half a path names a file that does not exist. */
export function oneLineOfWords(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${cutWords(line, length - 1)}…` : line;
}

/** The first words of a text in at most so many UTF-16 units; a single longer one is cut. */
export function cutWords(text: string, length: number): string {
  const cut = cutText(text, length);
  if (cut.length === text.length || /\s/.test(text[cut.length] ?? ' ')) return cut.trimEnd();
  const words = cut.replace(/(?<!\S)\S+$/, '').trimEnd();
  return words === '' ? cut : words;
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
