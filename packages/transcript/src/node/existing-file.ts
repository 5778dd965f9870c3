import { stat } from 'node:fs/promises';

/** The path, where a file is there. */
export async function existingFile(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true ? path : undefined;
}
