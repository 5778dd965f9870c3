import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Entry, type Head, type Message, project, repairHistory } from '@varve/messages';
import { importFile } from '@varve/transcript/node';
import { filesBelow, root } from '../workspace.ts';

/** A recorded session as the players take it. */
export interface RecordedSession {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly head: Head;
  /** Everything that was said, without compactions and clearing, and valid for any provider. */
  readonly history: readonly Message[];
}

/** Our own sessions, in full. */
export const fixtureSessions = (): Promise<readonly RecordedSession[]> =>
  Promise.all(filesBelow(join(root, 'fixtures/sessions'), ['.jsonl']).map(readSession));

/** Files in the formats of other tools, and the logs of a session of our own agent. */
export const formatFiles = (): readonly string[] => [
  ...filesBelow(join(root, 'fixtures/agent'), ['.jsonl']),
  ...filesBelow(join(root, 'fixtures/formats'), ['.json', '.jsonl', '.traj']),
];

/** Six recorded by six different agents; they lie beside the checkout, or where `VARVE_SESSIONS` says. */
const FOREIGN = [
  'claude-code/claude-skills-20260427.jsonl',
  'codex/codex-agentv-b9220e.jsonl',
  'copilot-cli/copilot-agentv-20260624.jsonl',
  'gemini-cli/gemini-bridge-a.json',
  'opencode/opencode-bridge-cmp.json',
  'swe-agent/sweagent-smith-pydantic8316.traj',
];

const foreignFolder = (): string =>
  process.env.VARVE_SESSIONS ?? join(root, '..', 'shared', 'sessions');

export const hasForeignSessions = (): boolean =>
  FOREIGN.every((file) => existsSync(join(foreignFolder(), file)));

export const foreignSessions = (): Promise<readonly RecordedSession[]> =>
  Promise.all(FOREIGN.map((file) => readSession(join(foreignFolder(), file))));

async function readSession(path: string): Promise<RecordedSession> {
  const { threads } = await importFile(path);
  const main = threads.find(({ kind }) => kind === 'main');
  if (main === undefined) throw new Error(`${path} holds no main thread`);
  const { entries } = main;
  const first = entries.find(({ type }) => type === 'message');
  const said = entries.filter(
    (entry) =>
      entry === first || (entry.type === 'message' && entry.message.origin?.kind !== 'summary'),
  );
  const { messages } = repairHistory(project(said).messages);
  const name = basename(path).replace(/\.\w+$/, '');
  return { name, entries, head: headOf(entries), history: messages };
}

function headOf(entries: readonly Entry[]): Head {
  const entry = entries.find((each) => each.type === 'head');
  const { tools = [], system = [] } = entry?.head ?? {};
  return { id: 'head', model: '', system, tools, params: {} };
}
