import type { Fact } from './facts/fact.ts';

/** What files are called by, whatever folder they are seen from: the shortest end of the path that no other file has. */
export function fileNames(facts: readonly Fact[]): (key: string) => string {
  const files = new Set(facts.filter(({ type }) => type.startsWith('file-')).map(({ key }) => key));
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const end of endsOf(file)) counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return (key) => endsOf(key).find((end) => counts.get(end) === 1) ?? key;
}

/** The shortest first. */
function endsOf(path: string): readonly string[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((_, at) => parts.slice(parts.length - 1 - at).join('/'));
}
