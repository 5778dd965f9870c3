import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MOST_NAMES = 20_000;

/**
 * Files that a pattern in the last part of an absolute path may stand for, and maybe some that it does not; undefined where
 * that is not known.
 */
export function filesOf(pattern: string): string[] | undefined {
  const [folder, last] = [dirname(pattern), basename(pattern)];
  // A pattern in a folder's name may lead through links.
  if (/[*?[]/.test(folder) || pattern.endsWith('/') || /['"\\$`{}~]/.test(last)) return undefined;
  const start = last.slice(0, last.search(/[*?[]|$/));
  const end = last.slice(last.search(/[^*?\]]*$/));
  const isHidden = /^[.[]/.test(last);
  try {
    const names = readdirSync(folder);
    if (names.length > MOST_NAMES) return undefined;
    return names
      .filter((name) => isHidden || !name.startsWith('.'))
      .filter((name) => name.startsWith(start) && name.endsWith(end))
      .map((name) => join(folder, name));
  } catch {
    return undefined; // there is no such folder, or it may not be read
  }
}
