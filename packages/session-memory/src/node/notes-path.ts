import { join } from 'node:path';
import { fingerprint } from '@varve/messages';

/** Whose notes, and where an agent keeps its files. */
export interface NotesPathOptions {
  /** The agent's own folder. */
  readonly root: string;
  /** The project, usually its absolute path: letters and digits of it name its folder, and a print of the whole. */
  readonly project: string;
  readonly sessionId: string;
}

/**
 * Where the notes of a session are: `<root>/projects/<project>/<session>/session-memory/summary.md`.
 *
 * @throws RangeError for a session id that is no plain name, and for a project without a letter or digit.
 */
export function notesPath({ root, project, sessionId }: NotesPathOptions): string {
  const readable = project.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-');
  if (!/[^-]/.test(readable)) {
    throw new RangeError('Expected `project` to hold a letter or a digit.');
  }
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.~-]*$/.test(sessionId)) {
    throw new RangeError('Expected `sessionId` to be a plain name.');
  }
  const print = fingerprint(project.normalize('NFC')).slice(0, PRINT_CHARS);
  const slug = `${[...readable].slice(-SLUG_CHARS).join('')}-${print}`;
  return join(root, 'projects', slug, sessionId, 'session-memory', 'summary.md');
}

/** 48 characters of up to four bytes, and the print: within the 255 bytes of a file name. The end of a path tells most. */
const SLUG_CHARS = 48;
const PRINT_CHARS = 12;
