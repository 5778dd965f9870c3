import fs from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { onTestFinished } from 'vitest';

type Call = (...args: never[]) => Promise<unknown>;

/** Puts a function of the file system in place of the real one until the test ends. */
export function replaceCall<
  Name extends 'link' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'rmdir',
>(name: Name, make: (real: (typeof promises)[Name]) => Call): void {
  const real = promises[name];
  promises[name] = make(real) as (typeof promises)[Name];
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises[name] = real;
    syncBuiltinESMExports();
  });
}

/**
 * Says, until the test ends, which changes were made to files and what was flushed, in order: `write log.jsonl`,
 * `sync log.jsonl`, `rename log.jsonl`. A folder goes by its name.
 */
export async function recordCalls(): Promise<string[]> {
  const calls: string[] = [];
  const paths = new WeakMap<FileHandle, string>();
  const byNumber = new Map<number, string>();
  replaceCall('open', (open) => async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    paths.set(handle, basename(String(args[0])));
    byNumber.set(handle.fd, basename(String(args[0])));
    return handle;
  });
  const writeSync = fs.writeSync as (file: number, ...args: never[]) => number;
  fs.writeSync = ((file: number, ...args: never[]) => {
    const written = writeSync(file, ...args);
    if (byNumber.has(file)) calls.push(`write ${byNumber.get(file)}`);
    return written;
  }) as typeof fs.writeSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.writeSync = writeSync as typeof fs.writeSync;
    syncBuiltinESMExports();
  });
  for (const name of ['link', 'rename', 'rm'] as const) {
    replaceCall(name, (real) => async (...args: never[]) => {
      const result = await (real as Call)(...args);
      calls.push(`${name} ${basename(String(args[name === 'rm' ? 0 : 1]))}`);
      return result;
    });
  }
  const probe = await promises.open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(probe) as Record<string, Call>;
  await probe.close();
  const close = prototype.close as Call;
  prototype.close = function (this: FileHandle) {
    byNumber.delete(this.fd); // the next file that is opened may have it
    return close.call(this);
  };
  onTestFinished(() => {
    prototype.close = close;
  });
  for (const [method, word] of METHODS) {
    const real = prototype[method] as Call;
    prototype[method] = async function (this: FileHandle, ...args: never[]) {
      const result = await real.apply(this, args);
      calls.push(`${word} ${paths.get(this)}`);
      return result;
    };
    onTestFinished(() => {
      prototype[method] = real;
    });
  }
  return calls;
}

const METHODS = [
  ['write', 'write'],
  ['writeFile', 'write'],
  ['truncate', 'truncate'],
  ['sync', 'sync'],
  ['datasync', 'sync'],
] as const;
