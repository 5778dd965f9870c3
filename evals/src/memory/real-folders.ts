import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { EvalsError } from '../error.ts';

/** A folder of memory that somebody uses, as it is read here. */
export interface RealFolder {
  readonly name: string;
  readonly path: string;
  /** Memories by path, without the indexes, in order. */
  readonly memories: ReadonlyMap<string, string>;
  readonly indexes: ReadonlyMap<string, string>;
}

const INDEX = 'MEMORY.md';

/**
 * The memory folders below a path: `<name>/memory` each, or else the path itself. Nothing in them is changed. Throws
 * `not-found` where there is no memory.
 */
export async function findRealFolders(path: string): Promise<readonly RealFolder[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause) => {
    throw new EvalsError('not-found', `Nothing can be read at ${path}.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found: RealFolder[] = [];
  for (const name of names.sort()) {
    const folder = join(path, name, 'memory');
    const texts = await textsBelow(folder);
    if (texts !== undefined) found.push(realFolder(name, folder, texts));
  }
  if (found.length > 0) return found;
  const texts = (await textsBelow(path)) ?? new Map();
  if (texts.size === 0)
    throw new EvalsError('not-found', `There is no memory at ${path}: no Markdown file.`);
  return [realFolder(basename(path), path, texts)];
}

function realFolder(name: string, path: string, texts: ReadonlyMap<string, string>): RealFolder {
  const isIndex = (file: string) => basename(file) === INDEX;
  const only = (wanted: boolean) =>
    new Map([...texts].filter(([file]) => isIndex(file) === wanted));
  return { name, path, memories: only(false), indexes: only(true) };
}

/** Texts of Markdown files by path with `/`, in order; undefined where there is no folder. */
export async function textsBelow(
  folder: string,
  isWanted = (path: string) => path.endsWith('.md') && !/(?:^|\/)\./.test(path),
): Promise<ReadonlyMap<string, string> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (entries === undefined) return undefined;
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '.').length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isWanted)
    .sort();
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await readFile(join(folder, path), 'utf8'));
  return texts;
}

const turnSchema = z.object({
  folder: z.string(),
  kind: z.enum(['direct', 'oblique', 'none']),
  query: z.string(),
  targets: z.array(z.string()),
});
/** A turn written by hand, and the files of its folder that it needs. */
export type HandTurn = z.infer<typeof turnSchema>;

/** The turns in `queries.json`; none where there is no such file. Throws `bad-chain` for what is none. */
export async function readHandTurns(path: string): Promise<readonly HandTurn[]> {
  const file = join(path, 'queries.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return [];
  try {
    return z.object({ queries: z.array(turnSchema) }).parse(JSON.parse(text)).queries;
  } catch (cause) {
    throw new EvalsError('bad-chain', `${file} holds no turns that can be measured by.`, { cause });
  }
}
