import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isRecord } from '@varve/guards';
import { firstRecord } from './codex-history.ts';
import { existingFile } from './existing-file.ts';
import { createFolderMemo } from './folder-memo.ts';

/** The file of a sub-agent of Claude Code. */
export interface AgentFile {
  readonly path: string;
  /** Of the sub-agent: the name of its file. */
  readonly id: string;
  /** The call that started it, where the file beside it tells. */
  readonly callId: string | undefined;
  /** The record of the parent up to which the sub-agent saw its conversation, where it is a fork of it. */
  readonly parentUuid: string | undefined;
}

/** Name of a file that belongs to a sub-agent. */
const AGENT = /^agent-.*\.jsonl$/;

/**
 * The files of the sub-agents of a session: below `<session>/subagents`, or, as up to 2.1.1, beside it. By name.
 */
export async function agentFiles(path: string): Promise<readonly AgentFile[]> {
  const id = sessionIdOf(path);
  if (id === undefined) return [];
  const folder = dirname(path);
  const found: AgentFile[] = [];
  for (const file of await agentsIn(join(folder, id, 'subagents'), true)) {
    found.push(await describeAgent(file, await firstRecord(file)));
  }
  for (const name of (await agentsBeside(folder)).get(id) ?? []) {
    const file = join(folder, name);
    found.push(await describeAgent(file, await firstRecord(file)));
  }
  return found;
}

async function agentsIn(folder: string, recursive: boolean): Promise<readonly string[]> {
  const names: string[] = await readdir(folder, { recursive }).catch(() => []);
  const agents = names.filter((name) => AGENT.test(basename(name))).sort();
  return agents.map((name) => join(folder, name));
}

/** The names of the sub-agents' files in a folder of sessions, by the session they belong to. */
const agentsBeside = createFolderMemo(async (folder) => {
  const value = new Map<string, string[]>();
  const unfinished: string[] = [];
  for (const file of await agentsIn(folder, false)) {
    const first = await firstRecord(file);
    if (first === undefined) unfinished.push(file);
    const parent = parentOf(first);
    if (parent !== undefined) value.set(parent, [...(value.get(parent) ?? []), basename(file)]);
  }
  return { value, unfinished };
});

/** The session that the file of a sub-agent belongs to, where that session's file is there. */
export async function parentFile(path: string): Promise<string | undefined> {
  if (!AGENT.test(basename(path))) return undefined;
  const folders = resolve(path).split(sep);
  const at = folders.lastIndexOf('subagents');
  const folder = at > 1 ? folders.slice(0, at - 1).join(sep) : dirname(path);
  const parent = at > 1 ? folders[at - 1] : parentOf(await firstRecord(path));
  // under another name the session would be read without it
  if (parent === undefined || !UUID.test(parent)) return undefined;
  return existingFile(join(folder, `${parent}.jsonl`));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Claude Code calls the file of a session by its id. */
function sessionIdOf(path: string): string | undefined {
  const id = basename(path, '.jsonl');
  return UUID.test(id) ? id : undefined;
}

/** The session whose sub-agent wrote a record. */
function parentOf(record: unknown): string | undefined {
  if (!isRecord(record)) return undefined;
  const { type, isSidechain, sessionId, parentSessionId } = record;
  const id = type === 'fork-context-ref' ? parentSessionId : isSidechain === true ? sessionId : '';
  return typeof id === 'string' && id !== '' ? id : undefined;
}

async function describeAgent(path: string, first: unknown): Promise<AgentFile> {
  const meta = await readFile(path.replace(/\.jsonl$/, '.meta.json'), 'utf8').catch(() => '{}');
  const isFork = isRecord(first) && first.type === 'fork-context-ref';
  return {
    path,
    id: basename(path, '.jsonl'),
    callId: textField(meta, 'toolUseId'),
    parentUuid:
      isFork && typeof first.parentLastUuid === 'string' ? first.parentLastUuid : undefined,
  };
}

function textField(json: string, field: string): string | undefined {
  try {
    const value = JSON.parse(json);
    const found = isRecord(value) ? value[field] : undefined;
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
