import { recordOf, textOf } from '@varve/guards';
import { visible } from '../shown.ts';
import type { ToolCall } from '../tools/tool.ts';
import { oneLine } from './clean.ts';

/** Lines of a change that are shown; of more only how many there are. */
const MOST_LINES = 12;

/** What a text loses and gets, line by line, without the lines that stay at its two ends. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === now[start]) start += 1;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
  ];
  const more = changed.length - MOST_LINES;
  const shown = changed.slice(0, MOST_LINES).map((line) => cut(line));
  return more > 0 ? [...shown, `… ${more} more`] : shown;
}

/** What a call would change in a file, as far as its input says. */
export function changeAsked({ name, input }: Pick<ToolCall, 'name' | 'input'>): string[] {
  const fields = recordOf(input);
  if (name === 'Edit') return changedLines(textOf(fields.old_string), textOf(fields.new_string));
  if (name === 'Write') return changedLines('', textOf(fields.content));
  return name === 'NotebookEdit' ? changedLines('', textOf(fields.new_source)) : [];
}

const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** Signs at the beginning stay: they say how deep a line stands. */
const cut = (line: string): string => {
  const indent = /^[-+] \s*/.exec(line)?.[0] ?? '';
  return `${indent.replaceAll('\t', '    ')}${oneLine(visible(line.slice(indent.length)), 200)}`;
};
