import type { Fact } from '../fact.ts';
import { nameOfFile } from '../names.ts';

/** The folder that most files of a session lie in; their paths are shown from there. */
export interface Root {
  /** Ends with a slash; empty where there is none worth naming. */
  readonly path: string;
  /** A path as it is shown. */
  shorten(path: string): string;
  /** The name of a changed file where no other has it, else its path as it is shown. */
  nameOf(path: string): string;
}

/** A root has to hold this share of the absolute paths. */
const SHARE = 0.6;

export function createRoot(facts: readonly Fact[]): Root {
  const files = facts.filter(({ type }) => type === 'file' || type === 'file-read');
  const path = deepest(files.map(({ key }) => key).filter((key) => key.startsWith('/')));
  const names = new Map<string, number>();
  for (const { key } of files) names.set(nameOfFile(key), (names.get(nameOfFile(key)) ?? 0) + 1);
  const shorten = (file: string): string =>
    path !== '' && file.startsWith(path) ? file.slice(path.length) : file;
  return {
    path,
    shorten,
    nameOf: (file) => (names.get(nameOfFile(file)) === 1 ? nameOfFile(file) : shorten(file)),
  };
}

function deepest(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 2; depth < parts.length; depth++) {
      const folder = `${parts.slice(0, depth).join('/')}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  let best = '';
  for (const [folder, count] of counts) {
    const enough = count >= 2 && count >= paths.length * SHARE;
    if (enough && folder.length > best.length) best = folder;
  }
  return best;
}
