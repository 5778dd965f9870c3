import {
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { PRIVATE_FILE } from '@varve/transcript/node';

/**
 * Adds a line, given with its line break, to a file of which only its owner reads, whole or not at all: what went in before
 * the disk was full is cut off again, and the refusal is thrown. It begins a line of its own whatever the file ends with.
 * What is no file to cut, such as a pipe, takes what it takes.
 */
export function appendLine(path: string, line: string): void {
  const file = openSync(path, 'a+', PRIVATE_FILE.mode);
  try {
    const stat = fstatSync(file);
    if (stat.isFile()) fchmodSync(file, PRIVATE_FILE.mode);
    const start = stat.isFile() && !endsLine(file, stat.size) ? '\n' : '';
    try {
      writeWhole(file, Buffer.from(start + line));
    } catch (error) {
      if (stat.isFile()) ftruncateSync(file, stat.size);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function endsLine(file: number, size: number): boolean {
  if (size === 0) return true;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 10;
}
