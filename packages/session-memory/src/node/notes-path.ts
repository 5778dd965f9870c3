import { join } from 'node:path';
import { checkOptions, expected, required } from '@varve/guards';
import { projectSlug } from '@varve/transcript/node';

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
 * @throws RangeError for a session id that is no plain name, and for a project without a letter or digit; TypeError for
 * what is no text.
 */
export function notesPath(options: NotesPathOptions): string {
  checkOptions(options, EXPECTED);
  const { root, project, sessionId } = options;
  const slug = projectSlug(project);
  if (slug === undefined) throw expected('project', { ...PROJECT, error: RangeError }, project);
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.~-]*$/.test(sessionId)) {
    throw expected('sessionId', { ...SESSION, error: RangeError }, sessionId);
  }
  return join(root, 'projects', slug, sessionId, 'session-memory', 'summary.md');
}

const isString = (value: unknown): boolean => typeof value === 'string';
const PROJECT = { what: 'a path with a letter or a digit', fits: isString };
const SESSION = { what: 'a plain name', fits: isString };
const EXPECTED = {
  root: required('a text that is not blank'),
  project: required(PROJECT),
  sessionId: required(SESSION),
} as const;
