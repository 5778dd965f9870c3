import type { MemoryFolder } from '@varve/memdir';

/**
 * A folder as it would be: what is read comes from the folder itself, what is written stays here. It takes no lock, because a lock is a
 * file in the folder.
 */
export function trialFolder(folder: MemoryFolder): MemoryFolder {
  /** Undefined: it would be gone. */
  const written = new Map<string, string | undefined>();
  let last: Promise<unknown> = Promise.resolve();
  const stands = (): readonly (readonly [string, string])[] =>
    [...written].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  return {
    locate: (path) => folder.locate(path),
    make: async () => undefined,
    async list(below, options) {
      const { files, ignored } = await folder.list(below, options);
      const isBelow = (path: string): boolean =>
        below === '' ? !/(?:^|\/)\./.test(path) : path.startsWith(`${below}/`);
      const known = new Map(files.map(({ path, modifiedMs }) => [path, modifiedMs]));
      const own = stands().filter(([path]) => isBelow(path));
      return {
        files: [
          ...files.filter(({ path }) => !written.has(path)),
          ...own.map(([path, text]) => ({
            ...{ path, bytes: new TextEncoder().encode(text).length },
            ...{ modifiedMs: known.get(path) ?? Number.NaN, version: `trial ${text}` },
          })),
        ],
        ignored,
      };
    },
    async names(below, options) {
      const start = below === '' ? '' : `${below}/`;
      const names = (await folder.names(below, options)).filter(
        (name) => !written.has(`${start}${name}`),
      );
      const own = stands()
        .filter(([path]) => path.startsWith(start))
        .map(([path]) => path.slice(start.length).replace(/\/.*$/, ''));
      return [...new Set([...names, ...own])];
    },
    async read(path, options) {
      options?.signal?.throwIfAborted();
      if (!written.has(path)) return folder.read(path, options);
      const text = written.get(path);
      return text === undefined ? undefined : { text, isWhole: true, isText: true };
    },
    async replace(path, text, { signal }) {
      signal?.throwIfAborted();
      written.set(path, text);
    },
    async remove(path, { signal }) {
      signal?.throwIfAborted();
      written.set(path, undefined);
    },
    exclusive(work, { signal } = {}) {
      const run = last.then(() => {
        signal?.throwIfAborted();
        return work();
      });
      last = run.catch(() => undefined);
      return run;
    },
  };
}
