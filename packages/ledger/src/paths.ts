import { plainPath } from '@varve/messages/tools';

/**
 * Tells when two spellings name one file: `src/a.ts` and `/repo/app/src/a.ts` do as long as only one known file ends like
 * that. Lookups cost the number of known files of that name.
 */
export interface Paths {
  /** The spelling a file is known by; a new file becomes known by this one. */
  identify(path: string, folder?: string): string;
  /** The known file that a spelling names, if exactly one. */
  find(path: string): string | undefined;
}

export function createPaths(): Paths {
  const byName = new Map<string, Set<string>>();
  const find = (path: string): string | undefined => {
    const known = byName.get(nameOf(path));
    if (known === undefined || known.has(path)) return known && path;
    let found: string | undefined;
    for (const other of known) {
      if (!endsLike(other, path) && !endsLike(path, other)) continue;
      if (found !== undefined) return undefined;
      found = other;
    }
    return found;
  };
  return {
    find: (path) => find(plainPath(path)),
    identify(path, folder) {
      const whole = plainPath(
        folder === undefined || isAbsolute(path) ? path : `${folder}/${path}`,
      );
      const found = find(whole) ?? whole;
      const known = byName.get(nameOf(found)) ?? new Set();
      byName.set(nameOf(found), known.add(found));
      return found;
    },
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const endsLike = (long: string, short: string): boolean =>
  long.length > short.length && !isAbsolute(short) && long.endsWith(`/${short}`);
const isAbsolute = (path: string): boolean => /^(?:[/~]|[A-Za-z]:[/\\])/.test(path);
