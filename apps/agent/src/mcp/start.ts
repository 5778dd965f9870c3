import type { Entry } from '@varve/messages';
import type { LoadedSettings } from '../settings/load.ts';
import { readServers } from './config.ts';
import type { Mcp, McpOptions } from './mcp.ts';
import { SEARCH_NAME } from './names.ts';

export interface StartServersOptions extends Omit<McpOptions, 'servers' | 'env'> {
  readonly loaded: LoadedSettings;
  /** What `${NAME}` in a configuration stands for. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Starts the MCP servers of a session. Where it has none, nothing of the protocol is loaded. */
export async function startServers(options: StartServersOptions): Promise<Mcp> {
  const { loaded, environment, entries, emit } = options;
  const { settings } = loaded;
  const { servers, problems } = readServers(settings.mcpServers, environment);
  for (const text of problems) emit({ kind: 'notice', level: 'warning', text });
  if (servers.length === 0 && !entries.some(hasSearch)) return NONE;
  const { createMcp } = await import('./mcp.ts');
  return createMcp({ ...options, servers, env: settings.env });
}

/** A session that had servers once has the same tools in its requests still. */
const hasSearch = (entry: Entry): boolean =>
  entry.type === 'head' && entry.head.tools.some(({ name }) => name === SEARCH_NAME);

const NONE: Mcp = {
  servers: [],
  tools: [],
  find: () => undefined,
  producer: { name: 'MCP servers', collect: () => [] },
  afterSummary: async () => [],
  check: () => undefined,
  close: async () => undefined,
};
