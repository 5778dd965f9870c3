import { isText, type Message, toolUses } from '@varve/messages';
import { forEachLine, forEachName, forEachNumber } from './units.ts';

/** The units that the tool calls of a message use: names in every argument, and the lines an edit expects to find. */
export function demandOf(message: Message): ReadonlySet<string> {
  const units = new Set<string>();
  const add = (unit: string) => void units.add(unit);
  for (const call of toolUses(message)) {
    forEachString(call.input, (text, key) => {
      forEachName(text, add, { shown: false });
      for (const line of expectedLines(text, key)) forEachLine(line, add);
    });
  }
  return units;
}

/** The names, paths and numbers that the words of a message name. */
export function namedIn({ content }: Message): ReadonlySet<string> {
  const units = new Set<string>();
  const add = (unit: string) => void units.add(unit);
  for (const block of content) {
    if (!isText(block)) continue;
    forEachName(block.text, add, { shown: false });
    forEachNumber(block.text, add);
  }
  return units;
}

/** The strings of a JSON value, each with the nearest key above it. */
export function forEachString(
  value: unknown,
  visit: (text: string, key: string) => void,
  key = '',
): void {
  if (typeof value === 'string') visit(value, key);
  else if (Array.isArray(value)) for (const item of value) forEachString(item, visit, key);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) forEachString(item, visit, name);
  }
}

function expectedLines(text: string, key: string): readonly string[] {
  if (OLD_TEXT_KEYS.has(key)) return text.split('\n');
  if (!PATCH.test(text)) return [];
  return text
    .split('\n')
    .filter(isExpected)
    .map((line) => line.slice(1));
}

/** A line of a patch that the file has to hold already: context, or what is taken out. */
const isExpected = (line: string): boolean =>
  (line.startsWith(' ') || line.startsWith('-')) && !line.startsWith('---');

/** The argument that names the text to be replaced, in the edit tools of the agents whose sessions are read. */
export const OLD_TEXT_KEYS: ReadonlySet<string> = new Set([
  'old_string',
  'old_str',
  'oldText',
  'old_text',
  'oldString',
  'search',
]);
const PATCH = /^(?:\*\*\* Begin Patch|diff --git |@@ )/m;
