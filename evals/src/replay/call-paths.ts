import type { ToolUseBlock } from '@varve/messages';
import { forEachString } from '../demand/demand.ts';
import { pathUnit } from '../demand/units.ts';

/** Paths among the arguments of a call that are no longer than a path can be; a command's words are not read. */
export function pathsOf({ input }: Pick<ToolUseBlock, 'input'>): readonly string[] {
  const paths: string[] = [];
  forEachString(input, (text, key) => {
    const path = text.trim();
    if (PATH_KEY.test(key) && pathUnit(path) !== undefined) paths.push(path);
  });
  return paths;
}

const PATH_KEY = /path|file/i;
