import { recordOf, textOf } from '@varve/guards';
import type { Question } from '../permissions/permissions.ts';
import { visible } from '../shown.ts';
import { oneLine } from './clean.ts';

/** Lines of a change that are shown; of more only how many there are. */
const MOST_LINES = 12;

/** Lines of which it is looked for those that stay; where more differ, all of them count as changed. */
const MOST_COMPARED = 1_000;

/** What a text loses and gets, line by line, without the lines that stay; `…` stands for those between two changes. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === now[start]) start += 1;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = differing(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const more = changed.length - MOST_LINES;
  const shown = changed.slice(0, MOST_LINES).map((line) => cut(line));
  return more > 0 ? [...shown, `… ${more} more`] : shown;
}

/** What differs between two texts, by the longest row of lines that both have. */
function differing(old: readonly string[], now: readonly string[]): string[] {
  if (old.length > MOST_COMPARED || now.length > MOST_COMPARED)
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  const columns = now.length + 1;
  /** How many lines stay from a line of each on. */
  const stay = new Uint16Array((old.length + 1) * columns);
  const stayFrom = (at: number, to: number) => stay[at * columns + to] ?? 0;
  for (let at = old.length - 1; at >= 0; at--)
    for (let to = now.length - 1; to >= 0; to--)
      stay[at * columns + to] =
        old[at] === now[to]
          ? stayFrom(at + 1, to + 1) + 1
          : Math.max(stayFrom(at + 1, to), stayFrom(at, to + 1));
  const changed: string[] = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < now.length) {
    if (at < old.length && to < now.length && old[at] === now[to]) {
      if (changed.length > 0 && changed.at(-1) !== GAP) changed.push(GAP);
      [at, to] = [at + 1, to + 1];
    } else if (
      to === now.length ||
      (at < old.length && stayFrom(at + 1, to) >= stayFrom(at, to + 1))
    )
      changed.push(`- ${old[at++]}`);
    else changed.push(`+ ${now[to++]}`);
  }
  return changed;
}

const GAP = '…';

/** What a call would change in a file, as far as its input says and the file that is there. */
export function changeAsked({ call: { name, input }, before = '' }: ChangeAsked): string[] {
  const fields = recordOf(input);
  if (name === 'Edit') return changedLines(textOf(fields.old_string), textOf(fields.new_string));
  if (name === 'Write') return changedLines(before, textOf(fields.content));
  return name === 'NotebookEdit' ? changedLines('', textOf(fields.new_source)) : [];
}

type ChangeAsked = Pick<Question, 'call' | 'before'>;

const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** Signs at the beginning stay: they say how deep a line stands. */
const cut = (line: string): string => {
  const indent = /^[-+] \s*/.exec(line)?.[0] ?? '';
  return `${indent.replaceAll('\t', '    ')}${oneLine(visible(line.slice(indent.length)), 200)}`;
};
