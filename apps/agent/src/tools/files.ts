import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { codeOf } from '@varve/guards';

/** What was read of a file, so that an edit is known to start from what is there. */
interface SeenFile {
  readonly mtimeMs: number;
  readonly hash: string;
}

/** The files that the model has seen. */
export interface FileCache {
  /** Notes a file as it is now: it was read whole, or written. */
  see(path: string): Promise<void>;
  /** Throws where a file that exists was not read since it was changed last. */
  requireSeen(path: string): Promise<void>;
  /** Real paths, the one seen last at the end. */
  paths(): readonly string[];
  /** Of what was seen, only these files are before the model still. */
  keep(paths: readonly string[]): void;
}

export function createFileCache(): FileCache {
  const seen = new Map<string, SeenFile>();
  return {
    async see(path) {
      const [real, found] = [await realPath(path), await look(path)];
      seen.delete(real);
      seen.set(real, found);
    },
    async requireSeen(path) {
      const known = seen.get(await realPath(path));
      const { mtimeMs } = await stat(path);
      if (known === undefined)
        throw new Error(`Read ${path} first: it was not read in this conversation yet.`);
      if (known.mtimeMs === mtimeMs || known.hash === (await look(path)).hash) return;
      throw new Error(`${path} was changed since it was read. Read it again before you change it.`);
    },
    paths: () => [...seen.keys()],
    keep(paths) {
      for (const path of seen.keys()) if (!paths.includes(path)) seen.delete(path);
    },
  };
}

async function look(path: string): Promise<SeenFile> {
  const { mtimeMs } = await stat(path); // before the content: a write in between shows as a change
  const hash = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { mtimeMs, hash };
}

/** Where a path leads: through links, or the path itself where nothing is there yet. */
export const realPath = (path: string): Promise<string> =>
  realpath(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return path;
    throw error;
  });

/** The text of a file; undefined where there is none. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

/** A path as a model writes it: absolute, from the home folder, or from the folder of the session. */
export function pathIn(cwd: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}
