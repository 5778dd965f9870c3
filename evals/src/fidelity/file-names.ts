import type { Fact } from './facts/fact.ts';

/** What facts are called by: files by the end of their path, checks by the beginning of their command. */
export function factNames(facts: readonly Fact[]): (fact: Fact) => string {
  const fileOf = fileNames(facts);
  const checkOf = checkNames(facts);
  return ({ type, key }) => {
    if (type === 'outcome' || type === 'test-status') return checkOf(key);
    return type.startsWith('file-') ? fileOf(key) : key;
  };
}

/** The program and what it is told to do, where no other check begins so; else the whole command. */
function checkNames(facts: readonly Fact[]): (key: string) => string {
  const keys = new Set(facts.filter(({ type }) => type === 'outcome').map(({ key }) => key));
  const begin = (key: string): string =>
    key
      .split(' ')
      .slice(0, RUNS_SCRIPT.test(key) ? 3 : 2)
      .join(' ');
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(begin(key), (counts.get(begin(key)) ?? 0) + 1);
  return (key) => (counts.get(begin(key)) === 1 ? begin(key) : key);
}

/** The second word says only that the third is to be run. */
const RUNS_SCRIPT = /^\S+ (?:run|exec|dlx|-m|--\S*)\s/;

/** Whatever folder they are seen from: the shortest end of the path that no other file has. */
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
