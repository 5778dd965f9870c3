import { realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { checkOptions } from '@varve/guards';
import { ABSOLUTE, OPTIONAL } from './memory-path.ts';

export interface CheckMemoryWriteOptions {
  /** The memory folder of this session, as `memoryPath` gave it. */
  readonly folder: string;
  /** The folder of the work: what is relative stands in it, and nothing below it is memory of another project. */
  readonly cwd?: string | undefined;
}

export type MemoryWrite =
  | { readonly kind: 'ok' }
  /** The message is for the model: it names the right folder. */
  | { readonly kind: 'refused'; readonly message: string };

/**
 * For the write and edit tools of an agent: whether a Markdown file would go into a folder that looks like memory
 * (`…/projects/<name>/memory/`) and is not that of this session, because a model has made up its name. All other paths are `ok`.
 */
export function checkMemoryWrite(path: string, options: CheckMemoryWriteOptions): MemoryWrite {
  checkOptions(options, { folder: ABSOLUTE, cwd: OPTIONAL });
  const { folder, cwd } = options;
  if (typeof path !== 'string' || path.includes('\0')) return { kind: 'ok' }; // the tool says what is wrong with it
  const given = resolve(cwd ?? folder, path);
  const real = realPath(given);
  const isIn = (place: string): boolean => plain(real).startsWith(`${plain(realPath(place))}/`);
  const looksAlike = [given, real].some((each) => LOOK_ALIKE.test(plain(each)));
  if (!looksAlike || isIn(folder) || (cwd !== undefined && isIn(cwd))) return { kind: 'ok' };
  const message = `This is not the memory folder of this project: memory is written to ${folder} and nowhere else.`;
  return { kind: 'refused', message };
}

const LOOK_ALIKE = /\/projects\/[^/]+\/(?:worktrees\/[^/]+\/)?memory\/.*\.md$/is;

const plain = (path: string): string => path.replaceAll('\\', '/');

/** With the links resolved of as much of it as is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), path.slice(above.length).replace(sep, ''));
  }
}
