import { join } from 'node:path';

export interface NotesPathOptions {
  /** The agent's own folder. */
  readonly root: string;
  /** The project, usually its absolute path: letters and digits of it name its folder. */
  readonly project: string;
  readonly sessionId: string;
}

/**
 * Where the notes of a session are: `<root>/projects/<project>/<session>/session-memory/summary.md`.
 *
 * @throws RangeError for a session id that is no plain name, and for a project without a letter or digit.
 */
export function notesPath({ root, project, sessionId }: NotesPathOptions): string {
  const slug = project.replace(/[^\p{L}\p{N}]+/gu, '-');
  if (!/[^-]/.test(slug)) throw new RangeError('Expected `project` to hold a letter or a digit.');
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.~-]*$/.test(sessionId)) {
    throw new RangeError('Expected `sessionId` to be a plain name.');
  }
  return join(root, 'projects', slug, sessionId, 'session-memory', 'summary.md');
}
