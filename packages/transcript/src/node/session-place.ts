import { open, stat } from 'node:fs/promises';

/** A session in a database stands behind its path: `opencode.db#ses_…`. A file whose own name holds `#` is that file. */
export async function splitPlace(
  place: string,
): Promise<{ readonly path: string; readonly session?: string }> {
  const at = place.lastIndexOf('#');
  if (at < 0 || (await isThere(place))) return { path: place };
  return { path: place.slice(0, at), session: place.slice(at + 1) };
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The first bytes of a file; none of a pipe, which can be read but once, and none where it cannot be read. */
export async function firstBytes(path: string): Promise<Uint8Array> {
  const stats = await stat(path).catch(() => undefined);
  const handle =
    stats?.isFile() === true ? await open(path, 'r').catch(() => undefined) : undefined;
  if (handle === undefined) return new Uint8Array();
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(DATABASE.length));
    return buffer.subarray(0, bytesRead);
  } catch {
    return new Uint8Array();
  } finally {
    await handle.close();
  }
}

/** Whether a file that begins with these bytes is a SQLite database. */
export const isDatabase = (start: Uint8Array): boolean =>
  new TextDecoder().decode(start) === DATABASE;

const DATABASE = 'SQLite format 3\0';
