import { expected, isRecord } from '@varve/guards';
import { MemdirError } from './error.ts';
import type { ListedFile, MemoryFolder } from './folder.ts';
import { isPassedOver } from './path.ts';

/** A folder that lives as long as the process: for tests, browsers and agents that leave nothing behind. */
export function inMemoryFolder(initial: Readonly<Record<string, string>> = {}): MemoryFolder {
  const areTexts =
    isRecord(initial) && Object.values(initial).every((text) => typeof text === 'string');
  if (!areTexts) throw expected('files', { what: 'an object of texts by their paths' }, initial);
  const files = new Map<string, { text: string; modifiedMs: number; version: number }>();
  let changes = 0;
  const put = (path: string, text: string): void => {
    files.set(path, { text, modifiedMs: Number.NaN, version: ++changes });
  };
  for (const [path, text] of Object.entries(initial)) put(path, text);
  let last: Promise<unknown> = Promise.resolve();

  function confirm(path: string, basis: string | undefined): void {
    if (files.get(path)?.text !== basis) throw changedMeanwhile(path);
  }

  return {
    locate: (path) => path,
    async make() {},
    async list(below, { signal } = {}) {
      signal?.throwIfAborted();
      const listed = [...files]
        .filter(([path]) =>
          below === '' ? !path.split('/').some(isPassedOver) : path.startsWith(`${below}/`),
        )
        .map(
          ([path, { text, modifiedMs, version }]): ListedFile => ({
            ...{ path, modifiedMs, version: String(version) },
            bytes: new TextEncoder().encode(text).length,
          }),
        );
      return { files: listed, ignored: [] };
    },
    async names(below, { signal } = {}) {
      signal?.throwIfAborted();
      const start = below === '' ? '' : `${below}/`;
      const inside = [...files.keys()].filter((path) => path.startsWith(start));
      return [...new Set(inside.map((path) => path.slice(start.length).replace(/\/.*$/, '')))];
    },
    async read(path, { maxBytes, signal } = {}) {
      signal?.throwIfAborted();
      const text = files.get(path)?.text;
      if (text === undefined) return undefined;
      if (maxBytes === undefined) return { text, isWhole: true, isText: true };
      const bytes = new TextEncoder().encode(text);
      if (bytes.length <= maxBytes) return { text, isWhole: true, isText: true };
      return { text: decodeStart(bytes.subarray(0, maxBytes)), isWhole: false, isText: true };
    },
    async replace(path, text, { basis, signal }) {
      signal?.throwIfAborted();
      confirm(path, basis);
      put(path, text);
    },
    async remove(path, { basis, signal }) {
      signal?.throwIfAborted();
      if (!files.has(path)) return;
      confirm(path, basis);
      files.delete(path);
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

/** Text of bytes that may end inside of a character. */
export const decodeStart = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });

export const changedMeanwhile = (path: string): MemdirError =>
  new MemdirError(
    'changed-meanwhile',
    `${path} was changed since it was read. What is there now stays; read it and try again.`,
  );
