import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** Copying more than that into the system's cache would be felt by whoever waits for the event loop. */
const LARGE_WRITE = 262_144;

const writeLarge = promisify(write);

/**
 * Writes to a file that is open and says how many bytes were taken. Few bytes are written at once, which takes some
 * microseconds: a trip to the thread pool takes longer.
 */
export async function writeSome(file: number, bytes: Uint8Array): Promise<number> {
  if (bytes.length <= LARGE_WRITE) return writeSync(file, bytes);
  return (await writeLarge(file, bytes)).bytesWritten;
}
