import { open } from 'node:fs/promises';

/** Makes new names in a folder survive a power loss, where the system can do that for folders. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined); // Windows opens no folders
  await handle?.sync().finally(() => handle.close());
}
