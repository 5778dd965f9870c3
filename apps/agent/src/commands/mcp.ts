import { oneLine } from '../ui/clean.ts';
import { count, seconds } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  hint: '[server] | reconnect [server]',
  about: 'the MCP servers, what they have, and how they are',
  async run({ words, session, face }) {
    const { servers } = session.mcp;
    const [first = '', second] = words.split(/\s+/);
    const isReconnect = first === 'reconnect';
    const asked = isReconnect ? second : first || undefined;
    const wanted = servers.filter(({ name }) => asked === undefined || name === asked);
    if (servers.length === 0)
      return face.show('There is no MCP server: .mcp.json or --mcp-config name them.', 'note');
    if (wanted.length === 0) return face.show(`There is no MCP server ${asked}.`, 'warning');
    if (isReconnect) {
      const absent = wanted.filter(({ status }) => status !== 'connected');
      await Promise.all(absent.map((server) => server.reconnect()));
    }
    for (const { name, status, tools, startMs, problem } of wanted) {
      const has = status === 'connected' ? ` · ${count(tools.length, 'tool')}` : '';
      const took = startMs === undefined ? '' : ` · ${seconds(startMs)} to start`;
      const why = problem === '' ? '' : ` · ${problem}`;
      face.show(`  ${name.padEnd(20)} ${status}${has}${took}${why}`, 'plain');
      if (isReconnect || asked === undefined) continue;
      for (const { ownName, definition } of tools)
        face.show(
          `    ${oneLine(ownName, 40).padEnd(30)} ${oneLine(definition.description ?? '', 90)}`,
          'plain',
        );
    }
  },
};
