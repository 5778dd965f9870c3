import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail } from '../mail/mail.ts';
import { parseMail } from '../mail/parse-mail.ts';

/** One name in the folder of new mail; without `mail` where it holds none. */
export interface MailFile {
  readonly name: string;
  readonly path: string;
  readonly mail?: Mail;
}

/**
 * What lies in a folder, in the order of names. A mail never changes once it is there, so each file is read once, and one at a
 * time: more may wait than can be open at once.
 */
export function mailFiles(folder: string): () => Promise<readonly MailFile[]> {
  let known: ReadonlyMap<string, MailFile> = new Map();
  return async () => {
    const found = new Map<string, MailFile>();
    for (const name of (await namesIn(folder)).sort()) {
      const file = known.get(name) ?? (await look(folder, name));
      if (file) found.set(name, file);
    }
    known = found;
    return [...found.values()];
  };
}

/** Undefined where it was acknowledged meanwhile. A link or a pipe may lead anywhere or never end, so neither is read. */
async function look(folder: string, name: string): Promise<MailFile | undefined> {
  const path = join(folder, name);
  try {
    const isFile = (await lstat(path)).isFile();
    const mail = isFile ? parseMail(await readFile(path, 'utf8')) : undefined;
    return { name, path, ...(mail && { mail }) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Empty where there is no such folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether nothing is there, or something that is no folder stands in the way. */
export const isMissing = (error: unknown): boolean =>
  MISSING.has((error as NodeJS.ErrnoException).code);

const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);
