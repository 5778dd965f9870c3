import { plainPath } from '@varve/messages/tools';

/**
 * Tells when two spellings name one file: `src/a.ts` and `/repo/app/src/a.ts` do as long as only one known file ends like
 * that. A lookup costs as much as the path has folders.
 */
export interface Paths {
  /** The spelling a file is known by; a new file becomes known by this one. */
  identify(path: string, folder?: string): string;
  /** The known file that a spelling names, if exactly one. */
  find(path: string): string | undefined;
}

export function createPaths(): Paths {
  const known = new Set<string>();
  /** The known file that ends like this; null where there are several. */
  const byEnd = new Map<string, string | null>();
  const find = (path: string): string | undefined => {
    if (known.has(path)) return path;
    const longer = isAbsolute(path) ? undefined : byEnd.get(path);
    const shorter = endsOf(path).filter((end) => known.has(end));
    if (longer === null || shorter.length + (longer === undefined ? 0 : 1) > 1) return undefined;
    return longer ?? shorter[0];
  };
  const learn = (path: string): void => {
    if (known.has(path)) return;
    known.add(path);
    for (const end of endsOf(path)) byEnd.set(end, byEnd.has(end) ? null : path);
  };
  return {
    find: (path) => find(plainPath(path)),
    identify(path, folder) {
      const whole = plainPath(
        folder === undefined || isAbsolute(path) ? path : `${folder}/${path}`,
      );
      const found = find(whole) ?? whole;
      learn(found);
      return found;
    },
  };
}

/** Folders of a path that its ends are taken from, counted from the file. */
const MOST_FOLDERS = 40;

/** What is left of a path without its first folders: `b/c.ts` and `c.ts` of `a/b/c.ts`. */
function endsOf(path: string): string[] {
  const slashes = [...path.matchAll(/\//g)].slice(-MOST_FOLDERS);
  return slashes.map(({ index }) => path.slice(index + 1)).filter((end) => end !== '');
}

const isAbsolute = (path: string): boolean => /^(?:[/~]|[A-Za-z]:[/\\])/.test(path);
