import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importsOf } from '../checks/layers.ts';
import { root } from '../workspace.ts';

const loaded = new Map<string, ReadonlySet<string>>();

/** A file and all that it loads by a relative path, from the root. */
export function loadedBy(file: string): ReadonlySet<string> {
  const known = loaded.get(file);
  if (known) return known;
  const found = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    for (const specifier of importsOf(readFileSync(join(root, next), 'utf8')))
      if (specifier.startsWith('.')) waiting.push(join(dirname(next), specifier));
  }
  loaded.set(file, found);
  return found;
}
