import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fingerprint } from '@varve/messages';

/** Where the scratch project is said to be, whatever the folder is called on the machine that records. */
export const SHOWN_ROOT = '/workspace';

/** The scratch project as the tools see it. */
export interface Workspace {
  /** Absolute path on this machine. */
  readonly root: string;
  /** Relative path with forward slashes of a path as a model writes it: `/workspace/lib/a.js` and `lib/a.js` are the same. */
  relative(path: string): string;
  absolute(path: string): string;
  exists(path: string): boolean;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Remember that the model knows the file as it is now. */
  noteSeen(path: string): void;
  seen(path: string): 'never' | 'current' | 'stale';
}

/** @throws {RangeError} from `relative`, `absolute` and everything that takes a path, when the path leaves the project. */
export function createWorkspace(root: string): Workspace {
  const seenAs = new Map<string, string>();
  const toRelative = (path: string) => {
    const inside = path === SHOWN_ROOT ? '.' : path.replace(`${SHOWN_ROOT}/`, '');
    const result = relative(root, join(root, inside));
    if (result.startsWith('..') || inside.startsWith('/'))
      throw new RangeError(`${path} is outside ${SHOWN_ROOT}`);
    return result === '' ? '.' : result;
  };
  const absolute = (path: string) => join(root, toRelative(path));
  const read = (path: string) => readFileSync(absolute(path), 'utf8');
  return {
    root,
    relative: toRelative,
    absolute,
    exists: (path) => existsSync(absolute(path)),
    read,
    write(path, text) {
      mkdirSync(dirname(absolute(path)), { recursive: true });
      writeFileSync(absolute(path), text);
    },
    noteSeen: (path) => void seenAs.set(toRelative(path), fingerprint(read(path))),
    seen(path) {
      const known = seenAs.get(toRelative(path));
      if (known === undefined) return 'never';
      return known === fingerprint(read(path)) ? 'current' : 'stale';
    },
  };
}
