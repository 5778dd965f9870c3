import type { Context } from '@varve/context';
import { untilAborted } from '@varve/guards';
import type { Entry } from '@varve/messages';
import { z } from 'zod';
import type { Emit } from '../events.ts';
import type { WriteNote } from '../notes.ts';
import type { Producer } from '../reminders/producers.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { ServerConfig } from './config.ts';
import { absent, type McpServer, startServer } from './connect.ts';
import { createLoadedTools } from './deferred.ts';
import { cleanText } from './definition.ts';
import { createNews } from './news.ts';
import { outputOf } from './result.ts';
import { toolSearch } from './tool-search.ts';

export interface McpOptions {
  readonly servers: readonly ServerConfig[];
  readonly cwd: string;
  /** What the settings add to the environment of programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
  /** Asked once there is one. */
  readonly context: () => Context;
  readonly emit: Emit;
  readonly note: WriteNote;
}

/** The MCP servers of a session. */
export interface Mcp {
  readonly servers: readonly McpServer[];
  /** Tools that are in every request. */
  readonly tools: readonly Tool[];
  /** A tool of a server by its name, whether the server is there or not. */
  find(name: string): Tool | undefined;
  /** Brings the head of the next request up to date, and tells what is new of the servers. */
  readonly producer: Producer;
  /** What there is to say of the servers behind a summary. */
  afterSummary(): Promise<readonly string[]>;
  /** Something of the conversation became something else, by a layer or a command. */
  check(by: string): void;
  close(): Promise<void>;
}

/** Starts the servers; nothing waits for them. */
export function createMcp({ servers: configs, cwd, env, ...given }: McpOptions): Mcp {
  const { entries, context, emit, note } = given;
  const servers = configs.map((config) => startServer(config, { cwd, env, onStatus: tell }));
  const loaded = createLoadedTools({ servers, context, entries, note });
  const news = createNews({ servers, loaded, context, entries, note });
  return {
    servers,
    tools: [toolSearch({ servers, load: loaded.load })],
    find(name) {
      if (!name.startsWith('mcp__')) return undefined;
      const server = servers.find((each) => name.startsWith(`mcp__${each.name}__`));
      if (server !== undefined) return toolOf(name, server);
      return loaded.definition(name) === undefined ? undefined : missing(name);
    },
    producer: {
      name: 'MCP servers',
      isNeeded: true,
      async collect() {
        await loaded.prepare();
        return news.next();
      },
    },
    async afterSummary() {
      loaded.summarised();
      return news.again();
    },
    check(by) {
      loaded.check(by);
      news.check();
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };

  function tell({ name, status, problem }: McpServer): void {
    if (status === 'failed' || status === 'left')
      emit({
        kind: 'notice',
        level: 'warning',
        text: `MCP server ${name} ${status === 'left' ? 'left' : 'is not there'}: ${problem}`,
      });
  }
}

function toolOf(name: string, server: McpServer): Tool {
  const now = () => server.tools.find((tool) => tool.name === name);
  return defineTool({
    ...{ name, description: '', input: ANYTHING, risk: 'runs' },
    reads: now()?.reads ?? false,
    async run(input, { signal, callId: id, emit }) {
      if (server.status === 'connecting') await untilAborted(() => server.tried, signal);
      if (server.status !== 'connected') throw new Error(absent(server));
      const tool = now();
      if (tool === undefined)
        throw new Error(`The MCP server ${server.name} has no tool ${name} now.`);
      const told: string[] = [];
      const onProgress = (text: string) => {
        told.push(text);
        if (told.length > MOST_TOLD) told.shift();
        emit({ kind: 'call-output', id, text: `${text}\n` });
      };
      try {
        return outputOf(await server.call(tool.ownName, input, { signal, onProgress }));
      } catch (error) {
        if (!signal.aborted) throw error;
        const last = told.map((text) => cleanText(text));
        return { content: [...last, interruptedText(server)].join('\n'), isError: true };
      }
    },
  });
}

/** Lines of progress that a call which was interrupted leaves. */
const MOST_TOLD = 20;

const interruptedText = ({ name }: McpServer): string =>
  `The call was interrupted: the MCP server ${name} was told to stop, and it is not known how far it came.`;

/** A tool that was loaded in an earlier run, of a server that is configured no more. */
const missing = (name: string): Tool =>
  defineTool({
    ...{ name, description: '', input: ANYTHING, reads: true },
    run: () => Promise.reject(new Error(`The MCP server of ${name} is not configured any more.`)),
  });

const ANYTHING = z.record(z.string(), z.unknown());
