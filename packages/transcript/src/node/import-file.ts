import { basename } from 'node:path';
import { TranscriptError } from '../error.ts';
import { importSession } from '../import/import-session.ts';
import type { ImportedSession, ImportOptions } from '../import/types.ts';
import { firstRecord, historyBaseOf, withHistory } from './codex-history.ts';
import { WITH_WAL } from './database.ts';
import { databaseSessions, readDatabaseSession } from './database-sessions.ts';
import { importAgents } from './import-agents.ts';
import { importStored } from './import-stored.ts';
import { withAgents } from './join-threads.ts';
import { readStoredSession, storagePlace } from './opencode-storage.ts';
import { sessionBytes } from './session-bytes.ts';
import { firstBytes, isDatabase, splitPlace } from './session-place.ts';
import { rootsOf } from './stored-session.ts';
import { withTaskBills } from './task-bills.ts';

/** Options of {@link importFile}. */
export interface ImportFileOptions extends Omit<ImportOptions, 'name'> {
  /** @default the path */
  readonly name?: string | undefined;
}

/**
 * Reads the session at a place that {@link findSessions} gave, or in any file, as a stream: {@link importSession} over its bytes, with what other files
 * hold of it. These are the sub-agents of Claude Code, the history of a Codex fork, the messages and parts of OpenCode's `storage`, and the bills of a task of Cline.
 * Files in Zstandard are unpacked. A database of OpenCode, Kilo or Goose takes the id of a session behind its path (`opencode.db#ses_…`) where it holds several.
 *
 * @throws TranscriptError also for the file itself: `not-found`, `not-a-file`, `unreadable` are three different things; `many-sessions`
 * for a database without the id of one
 */
export async function importFile(
  place: string,
  options: ImportFileOptions = {},
): Promise<ImportedSession> {
  const { name = place, ...rest } = options;
  const { path, session } = await splitPlace(place);
  const start = await firstBytes(path);
  if (isDatabase(start)) return importDatabase(path, session, { name, rest });
  if (session !== undefined) return importStream(place, { name, rest }); // says that there is no such file
  const stored = storagePlace(path);
  if (stored !== undefined && start.length > 0) {
    return importStored(await readStoredSession(path, stored), { name, rest });
  }
  const imported = await importStream(path, { name, rest, isFile: start.length > 0 });
  if (imported.format === 'anthropic-messages') return withTaskBills(path, imported, rest);
  if (imported.format !== 'claude-code' || start.length === 0) return imported;
  const { agents, problems } = await importAgents(path, rest);
  const whole = withAgents(imported, agents);
  return { ...whole, problems: [...whole.problems, ...problems] };
}

interface Named {
  readonly name: string;
  readonly rest: Omit<ImportOptions, 'name'>;
}

async function importStream(
  path: string,
  { name, rest, isFile = false }: Named & { readonly isFile?: boolean },
): Promise<ImportedSession> {
  let isCut = false;
  const options = {
    name,
    takesPipes: true,
    onCut: () => {
      isCut = true;
    },
  };
  const base = isFile ? historyBaseOf(await firstRecord(path)) : undefined;
  const bytes = base === undefined ? sessionBytes(path, options) : withHistory(path, base, options);
  const imported = await importSession(bytes, { name, ...rest });
  if (!isCut) return imported;
  const text =
    'the packed file is cut off or goes on behind its end; what could be unpacked was read';
  return { ...imported, problems: [...imported.problems, { line: 1, kind: 'torn-record', text }] };
}

async function importDatabase(
  path: string,
  session: string | undefined,
  named: Named,
): Promise<ImportedSession> {
  if (session !== undefined) return importStored(await readDatabaseSession(path, session), named);
  const sessions = await databaseSessions(path);
  const [only, ...others] = rootsOf(sessions);
  if (only === undefined) {
    const text = `no session is in the SQLite database; ${WITH_WAL}`;
    throw new TranscriptError('empty', text, { file: path });
  }
  if (others.length > 0) {
    const text = `the database holds ${1 + others.length} sessions: name one behind its path (${basename(path)}#${only}), or take the places that findSessions gives`;
    throw new TranscriptError('many-sessions', text, { file: path });
  }
  return importStored(await readDatabaseSession(path, only), named);
}
