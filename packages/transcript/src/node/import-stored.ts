import { isRecord, recordOf } from '@varve/guards';
import { TranscriptError } from '../error.ts';
import { importSession } from '../import/import-session.ts';
import type { ImportedSession, ImportOptions } from '../import/types.ts';
import { type Agent, unlessEmpty, withAgents } from './join-threads.ts';
import type { StoredSession } from './stored-session.ts';

interface Named {
  readonly name: string;
  readonly rest: Omit<ImportOptions, 'name'>;
}

/** The first of the sessions, with the others as its sub-agents. */
export async function importStored(
  sessions: readonly StoredSession[],
  { name, rest }: Named,
): Promise<ImportedSession> {
  const [own, ...below] = sessions;
  if (own === undefined) throw new TranscriptError('empty', 'no session is in it', { file: name });
  const parent = sessions.some(({ id }) => id === own.parent) ? undefined : own.parent;
  const imported = await importOne({ ...own, parent }, { name, rest });
  const calls = new Map(sessions.flatMap(startedBy));
  const agents: Agent[] = [];
  for (const session of below) {
    const agent = await unlessEmpty(importOne(session, { name: `${name}#${session.id}`, rest }));
    if (agent === undefined) continue;
    agents.push({ id: session.id, callId: calls.get(session.id), session: agent });
  }
  return withAgents(imported, agents);
}

async function importOne(
  { format, info, parent, messages, bad }: StoredSession,
  { name, rest }: Named,
): Promise<ImportedSession> {
  const document =
    format === 'goose'
      ? { ...info, conversation: messages.map((message) => message.info) }
      : { info: { ...info, parentID: parent }, messages };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const imported = await importSession([bytes], { name, ...rest, format });
  if (bad === 0) return imported;
  const text = `${bad} of the rows or files of this session are no JSON objects and were dropped`;
  return { ...imported, problems: [...imported.problems, { line: 1, kind: 'bad-json', text }] };
}

/** The calls of a session that started others, by the id of what they started. */
function startedBy({ messages }: StoredSession): [string, string][] {
  const parts = messages.flatMap((message) => message.parts.filter(isRecord));
  return parts.flatMap(({ callID, state }): [string, string][] => {
    const { sessionId, sessionID } = recordOf(recordOf(state).metadata);
    const child = sessionId ?? sessionID;
    return typeof child === 'string' && typeof callID === 'string' ? [[child, callID]] : [];
  });
}
