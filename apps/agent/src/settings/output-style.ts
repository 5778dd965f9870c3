import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { splitFrontMatter } from '../instructions/front-matter.ts';
import { readText } from './settings.ts';

interface StylePlace {
  readonly configDir: string;
  readonly home?: string | undefined;
  readonly isCompatible: boolean;
}

/** Styles that people name and that are no files. */
const BUILT_IN: Readonly<Record<string, string>> = {
  default: '',
  explanatory:
    'Beside the work, explain it: before and after code, two or three sentences on why it is done so in this code base.',
  learning:
    'The person wants to learn by doing. Leave small parts that decide something to them: mark each with TODO(human), say what is open and what speaks for either way, and wait.',
};

/**
 * The text of the output style that settings name: a file of the person, `output-styles/<name>.md`, or one of those that are built in;
 * undefined where there is none. A project may name a style and brings none: its text would stand in the system prompt.
 */
export function outputStyle(name: string, place: StylePlace): string | undefined {
  const { configDir, home = homedir(), isCompatible } = place;
  const wanted = name.toLowerCase();
  for (const root of [configDir, ...(isCompatible ? [join(home, '.claude')] : [])]) {
    const folder = join(root, 'output-styles');
    const file = namesIn(folder).find((each) => each.toLowerCase() === `${wanted}.md`);
    const read = file && readText(join(folder, file));
    if (read && read.kind === 'text') return splitFrontMatter(read.text).text.trim();
  }
  return Object.hasOwn(BUILT_IN, wanted) ? BUILT_IN[wanted] : undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there are none
  }
}
