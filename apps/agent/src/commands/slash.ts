import { isToRemember } from '../memory/remember.ts';

/** What is called by a slash, and what stands behind its name; undefined for words, such as a path. */
export function slashIn(text: string): { name: string; words: string } | undefined {
  const [, name, words = ''] = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, words: words.trim() };
}

/** Whether a person asks varve itself for something, and not the model: `/command`, `!command` or `#text`. */
export const isCommand = (text: string): boolean =>
  slashIn(text) !== undefined || text.trim().startsWith('!') || isToRemember(text);
