import { untilAborted } from '@varve/guards';
import type { Block } from '@varve/messages';
import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import { absent, type McpServer, type ServerTool } from './connect.ts';
import { SEARCH_NAME } from './names.ts';

const MOST_FOUND = 20;

export interface ToolSearchOptions {
  readonly servers: readonly McpServer[];
  /** Has tools in the next request; gives the names of those that a result has to name, or undefined where they cannot be in it. */
  readonly load: (
    tools: readonly ServerTool[],
    callId: string,
  ) => Promise<readonly string[] | undefined>;
}

/** The tool with which the model finds tools of MCP servers whose definitions are not in the request. */
export const toolSearch = ({ servers, load }: ToolSearchOptions): Tool =>
  defineTool({
    name: SEARCH_NAME,
    description: `Finds tools of MCP servers and loads them: from your next step on they can be called. Reminders name the tools, or where there are very many only the servers. Waits for servers that are still connecting.`,
    input: z.object({
      query: z
        .string()
        .min(1)
        .describe(
          '`select:` and names with commas between them, or words of what a tool should do',
        ),
      max_results: z.int().min(1).max(MOST_FOUND).optional().describe('5 if not given'),
    }),
    reads: true,
    async run({ query, max_results: most = 5 }, { signal, callId }) {
      const wanted = selected(query);
      const look = () => {
        const all = servers.flatMap(({ status, tools }) => (status === 'connected' ? tools : []));
        if (wanted !== undefined)
          return all.filter(({ name, ownName }) => wanted.has(name) || wanted.has(ownName));
        return ranked(all, query).slice(0, most);
      };
      let found = look();
      if (found.length < (wanted?.size ?? 1)) {
        await untilAborted(() => Promise.all(servers.map(({ tried }) => tried)), signal);
        found = look();
      }
      if (found.length === 0) return nothing(query, servers);
      const references = await load(found, callId);
      if (references === undefined)
        return `Call them by these names:\n${found.map(({ definition }) => JSON.stringify(definition)).join('\n')}`;
      if (references.length > 0) return { content: references.map(referenceTo) };
      return `Loaded:\n${found.map(({ definition }) => `${definition.name}: ${definition.description}`).join('\n')}`;
    },
  });

const referenceTo = (tool_name: string): Block => ({ type: 'tool_reference', tool_name });

function selected(query: string): ReadonlySet<string> | undefined {
  const [, names] = /^\s*select:(.*)$/s.exec(query) ?? [];
  return names === undefined
    ? undefined
    : new Set(
        names
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      );
}

/** Those that fit best first: words of the name count more than words of the description. */
function ranked(tools: readonly ServerTool[], query: string): ServerTool[] {
  const words = wordsOf(query);
  const rated = tools.map((tool) => {
    const parts = new Set(wordsOf(tool.name));
    const [name, about] = [
      tool.name.toLowerCase(),
      (tool.definition.description ?? '').toLowerCase(),
    ];
    const score = words.reduce(
      (sum, word) =>
        sum + (parts.has(word) ? 10 : name.includes(word) ? 5 : about.includes(word) ? 2 : 0),
      0,
    );
    return { tool, score };
  });
  return rated
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'mcp');

function nothing(query: string, servers: readonly McpServer[]): string {
  const lines = servers.map((server) =>
    server.status === 'connected'
      ? `- ${server.name}: ${server.tools.length} tools`
      : `- ${absent(server)}`,
  );
  return `No tool fits ${query}. The servers are:\n${lines.join('\n')}`;
}
