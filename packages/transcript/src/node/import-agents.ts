import { TranscriptError } from '../error.ts';
import { importSession } from '../import/import-session.ts';
import type { ImportedSession, ImportOptions, ImportProblem } from '../import/types.ts';
import { type AgentFile, agentFiles } from './claude-agents.ts';
import { type Agent, unlessEmpty, withPrefix } from './join-threads.ts';
import { sessionBytes } from './session-bytes.ts';

type Options = Omit<ImportOptions, 'name'>;

/** The sub-agents of a Claude Code session that have files of their own. A file that cannot be read is left out and is a problem. */
export async function importAgents(
  path: string,
  rest: Options,
): Promise<{ readonly agents: readonly Agent[]; readonly problems: readonly ImportProblem[] }> {
  const agents: Agent[] = [];
  const problems: ImportProblem[] = [];
  for (const file of await agentFiles(path)) {
    try {
      const session = await unlessEmpty(importAgent(path, file, rest));
      if (session !== undefined) agents.push({ id: file.id, callId: file.callId, session });
    } catch (error) {
      if (!TranscriptError.is(error)) throw error;
      const text = `the file of a sub-agent cannot be read (${error.code}) and was left out`;
      problems.push({ line: error.line ?? 1, kind: 'unreadable-file', text, file: file.path });
    }
  }
  return { agents, problems };
}

/** A fork of its parent saw the parent's conversation first, which its own file does not repeat. */
async function importAgent(
  path: string,
  { path: file, parentUuid }: AgentFile,
  rest: Options,
): Promise<ImportedSession> {
  const options = { ...rest, format: 'claude-code' } as const;
  const own = await importSession(sessionBytes(file, { name: file }), { ...options, name: file });
  if (parentUuid === undefined) return own;
  const seen = await importSession(linesThrough(path, parentUuid), { ...options, name: path });
  return withPrefix(own, seen);
}

/** The lines of a file up to the record with a uuid; all where it is not in the file. */
async function* linesThrough(path: string, uuid: string): AsyncGenerator<Uint8Array> {
  const mark = Buffer.from(`"uuid":"${uuid}"`);
  let rest = Buffer.alloc(0);
  for await (const piece of sessionBytes(path, { name: path })) {
    rest = Buffer.concat([rest, piece]);
    const at = rest.indexOf(mark);
    const end = at < 0 ? -1 : rest.indexOf(0x0a, at);
    if (end >= 0) {
      yield rest.subarray(0, end);
      return;
    }
    if (at >= 0) continue;
    const whole = Math.max(0, rest.length - mark.length);
    yield rest.subarray(0, whole);
    rest = rest.subarray(whole);
  }
  yield rest;
}
