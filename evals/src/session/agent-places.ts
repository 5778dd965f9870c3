import { stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';

/** A folder or file in which an agent keeps sessions. */
export interface AgentPlace {
  readonly agent: string;
  /** Below a home folder, with `/`. */
  readonly place: string;
  readonly path: string;
}

/** Where agents keep their sessions below a home folder, those too whose sessions cannot be read. */
const PLACES: readonly (readonly [agent: string, ...places: string[]])[] = [
  ['Claude Code', '.claude/projects', '.config/claude/projects'],
  ['Codex', '.codex/sessions', '.codex/archived_sessions'],
  ['OpenCode', '.local/share/opencode'],
  ['Kilo', '.local/share/kilo'],
  ['Gemini CLI', '.gemini/tmp'],
  ['Copilot CLI', '.copilot/session-state', '.copilot/history-session-state'],
  ['pi', '.pi/agent/sessions'],
  ['Cursor', '.cursor/projects', '.cursor/chats', '.config/Cursor/User/workspaceStorage'],
  ['Qwen Code', '.qwen/projects', '.qwen/tmp'],
  ['Droid', '.factory/sessions'],
  ['Kimi CLI', '.kimi/sessions'],
  ['Goose', '.local/share/goose/sessions'],
  ['Amp', '.local/share/amp/threads'],
  ['Continue', '.continue/sessions'],
  ['Cline', '.cline/data/tasks', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks'],
  ['Roo Code', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks'],
  ['Aider', '.aider.chat.history.md'],
  ['Crush', '.local/share/crush', '.crush'],
];

/** Whether a folder is an agent's own, such as `~/.claude`: what else it holds are no sessions. */
export const isAgentFolder = (folder: string): boolean =>
  PLACES.some(([, ...places]) => places.some((place) => place.split('/')[0] === basename(folder)));

/** Whose place a path lies in, below whatever home; undefined where it lies in none. */
export function agentOf(path: string): string | undefined {
  const whole = `${path.split(sep).join('/')}/`;
  return PLACES.find(([, ...places]) => places.some((place) => whole.includes(`/${place}/`)))?.[0];
}

/** The places of agents below a folder that is a home, or an agent's own. */
export async function agentPlaces(folder: string): Promise<readonly AgentPlace[]> {
  const own = basename(folder);
  const candidates = PLACES.flatMap(([agent, ...places]) =>
    places.flatMap((place): AgentPlace[] => {
      const [first, ...rest] = place.split('/');
      const below = { agent, place, path: join(folder, place) };
      return first === own && rest.length > 0
        ? [below, { agent, place: rest.join('/'), path: join(folder, ...rest) }]
        : [below];
    }),
  );
  const found = await Promise.all(
    candidates.map(async (each) => (await exists(each.path)) && each),
  );
  return found.filter((each) => each !== false);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
