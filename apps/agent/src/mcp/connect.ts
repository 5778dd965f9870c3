import type {
  CallToolResult,
  Client,
  ClientOptions,
  Tool as FoundTool,
  JsonSchemaValidator,
  Transport,
} from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { codeOf, untilAborted } from '@varve/guards';
import type { Tool as ToolDefinition } from '@varve/messages';
import { redact } from '@varve/redact';
import { messageOf } from '../shown.ts';
import { oneLine } from '../ui/clean.ts';
import type { ServerConfig } from './config.ts';
import { cleanText, definitionFrom } from './definition.ts';
import { fetchWithin, MOST_MESSAGE_BYTES } from './fetch-within.ts';

/** A tool as its server has it now. */
export interface ServerTool {
  /** `mcp__server__tool` */
  readonly name: string;
  readonly ownName: string;
  /** What a provider is told. */
  readonly definition: ToolDefinition;
  /** The server says that it changes nothing. */
  readonly reads: boolean;
}

export type ServerStatus = 'connecting' | 'connected' | 'left' | 'failed';

/** An MCP server, whether it is there or not. */
export interface McpServer {
  readonly name: string;
  readonly status: ServerStatus;
  /** Why it is not there; of tools that are left out, why. */
  readonly problem: string;
  readonly instructions: string;
  readonly tools: readonly ServerTool[];
  /** From its start to the list of its tools, in milliseconds. */
  readonly startMs: number | undefined;
  /** Once the first attempt came to an end, whichever. */
  readonly tried: Promise<void>;
  /** Rejects with why there is no result. */
  call(
    ownName: string,
    input: Record<string, unknown>,
    options: CallOptions,
  ): Promise<CallToolResult>;
  /** Tries now, whatever it waited for. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface StartOptions {
  readonly cwd: string;
  /** What the settings add to the environment of programs. */
  readonly env: Readonly<Record<string, string>>;
  /** Told of each change of the status. */
  readonly onStatus: (server: McpServer) => void;
  /** How long the attempts to have a server back wait, in milliseconds. */
  readonly backoffMs?: readonly number[];
}

const CONNECT_MS = 30_000;
const CALL_MS = 600_000;
const PING_MS = 5_000;
/** How long a server may take to end by itself. */
const CLOSE_MS = 500;
const MOST_STDERR_CHARS = 2_000;
const BACKOFF_MS = [500, 2_000, 8_000, 30_000];

/** Starts a server and keeps it: one that leaves is asked back a few times. Nothing of it is waited for here. */
export function startServer(config: ServerConfig, options: StartOptions): McpServer {
  const { name } = config;
  const { onStatus, backoffMs = BACKOFF_MS } = options;
  let status: ServerStatus = 'connecting';
  let problem = '';
  let instructions = '';
  let tools: readonly ServerTool[] = [];
  let startMs: number | undefined;
  let client: Client | undefined;
  /** Aborted where a message was too large: nobody else tells the calls that wait for it. */
  let flooded = new AbortController();
  let opening: Promise<void> | undefined;
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let pidOf: () => number | null = () => null;

  const server: McpServer = {
    name,
    get status() {
      return status;
    },
    get problem() {
      return problem;
    },
    get instructions() {
      return instructions;
    },
    get tools() {
      return tools;
    },
    get startMs() {
      return startMs;
    },
    tried: open(),
    call,
    async reconnect() {
      attempts = 0;
      clearTimeout(timer);
      await (opening ?? open());
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const late = setTimeout(end, CLOSE_MS, pidOf());
      await client?.close().catch(() => undefined);
      clearTimeout(late);
    },
  };
  return server;

  function open(): Promise<void> {
    opening = connectOnce()
      .catch((error: unknown) => {
        if (isClosed) return;
        problem = said(error);
        become(status === 'connecting' ? 'failed' : status);
        if (status === 'left') again();
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  async function connectOnce(): Promise<void> {
    const startedAt = performance.now();
    let printed = '';
    const { Client } = await protocol();
    const fresh = new Client(
      { name: 'varve', version: '0' },
      {
        jsonSchemaValidator: TRUSTING,
        versionNegotiation: { mode: config.kind === 'stdio' ? 'legacy' : 'auto' },
        listChanged: {
          tools: {
            onChanged: (_, found) => {
              if (fresh === client && found !== null) take(found);
            },
          },
        },
      },
    );
    const before = client;
    client = fresh;
    await before?.close().catch(() => undefined);
    const transport = await transportOf(config, options, {
      onPrinted(text) {
        printed = `${printed}${text}`.slice(-MOST_STDERR_CHARS);
      },
      onTooMuch(why) {
        flooded.abort(why);
        flooded = new AbortController();
      },
    });
    let isListed = false;
    pidOf = () => ('pid' in transport ? transport.pid : null);
    if (isClosed) return;
    fresh.onclose = () => {
      if (isListed) lost(fresh, printed);
    };
    const timeout = AbortSignal.timeout(CONNECT_MS);
    try {
      await untilAborted(async () => {
        await fresh.connect(transport, { timeout: CONNECT_MS, signal: timeout });
        const hasTools = fresh.getServerCapabilities()?.tools !== undefined;
        const found = hasTools
          ? (await fresh.listTools(undefined, { timeout: CONNECT_MS })).tools
          : [];
        instructions = cleanText(fresh.getInstructions() ?? '');
        take(found);
      }, timeout);
    } catch (error) {
      await fresh.close().catch(() => undefined);
      if (timeout.aborted) throw new Error(`it did not answer in ${CONNECT_MS / 1_000} s`);
      throw printed.trim() === '' ? error : new Error(`${said(error)}; it printed: ${printed}`);
    }
    if (isClosed) return fresh.close();
    isListed = true;
    attempts = 0;
    startMs = performance.now() - startedAt;
    become('connected');
  }

  function take(found: readonly FoundTool[]): void {
    const taken = new Map<string, ServerTool>();
    const leftOut: string[] = [];
    for (const tool of found) {
      const read = definitionFrom(name, tool);
      if (read.kind === 'unfit') leftOut.push(`${oneLine(tool.name, 60)} (${read.reason})`);
      else if (taken.has(read.definition.name))
        leftOut.push(`${oneLine(tool.name, 60)} (it is there twice)`);
      else
        taken.set(read.definition.name, {
          ...{ name: read.definition.name, ownName: tool.name, definition: read.definition },
          reads: tool.annotations?.readOnlyHint === true,
        });
    }
    tools = [...taken.values()];
    problem = leftOut.length === 0 ? '' : `left out: ${leftOut.join(', ')}`;
  }

  function lost(which: Client, printed: string): void {
    if (which !== client || isClosed || status === 'left') return;
    problem =
      printed.trim() === ''
        ? 'the connection ended'
        : `the connection ended; it printed last: ${said(printed)}`;
    become('left');
    again();
  }

  /** Asks a server that left to come back, less and less often. */
  function again(): void {
    const waitMs = backoffMs[attempts++];
    if (waitMs === undefined || isClosed) return;
    timer = setTimeout(() => void (opening ?? open()), waitMs).unref();
  }

  function become(next: ServerStatus): void {
    if (status === next) return;
    status = next;
    onStatus(server);
  }

  async function call(
    ownName: string,
    input: Record<string, unknown>,
    { signal, onProgress }: CallOptions,
  ): Promise<CallToolResult> {
    const asked = client;
    const { signal: tooMuch } = flooded;
    if (status !== 'connected' || asked === undefined) throw new Error(absent(server));
    try {
      return await asked.callTool(
        { name: ownName, arguments: input },
        {
          ...{ signal: AbortSignal.any([signal, tooMuch]) },
          ...{ timeout: config.timeoutMs ?? CALL_MS, resetTimeoutOnProgress: true },
          onprogress: ({ message, progress, total }) =>
            onProgress(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (tooMuch.aborted)
        throw new Error(`The MCP server ${name} gave no result: ${said(tooMuch.reason)}`);
      const { ProtocolError, SdkError, SdkErrorCode } = await protocol();
      if (error instanceof ProtocolError) throw new Error(said(error));
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        throw new Error(`The MCP server ${name} did not answer in time.`);
      if (config.kind !== 'stdio') await look(asked);
      throw new Error(`The MCP server ${name} gave no result: ${said(error)}`);
    }
  }

  /** Whether a server over http is there still: nothing tells when it goes. */
  async function look(asked: Client): Promise<void> {
    await asked.ping({ timeout: PING_MS }).catch(() => lost(asked, ''));
  }

  /** A failure in words, on one line, without what the configuration keeps secret. */
  function said(error: unknown): string {
    let text = messageOf(error);
    const secrets = config.kind === 'stdio' ? config.env : config.headers;
    for (const secret of Object.values(secrets).flatMap((value) => [value, ...value.split(' ')]))
      if (secret.length >= 6) text = text.replaceAll(secret, '[hidden]');
    return oneLine(redact(text), 500);
  }
}

/** Why a tool of a server cannot be called now. */
export const absent = ({ name, status, problem }: McpServer): string =>
  status === 'left'
    ? `The MCP server ${name} left (${problem}). Its tools cannot be called until it is back.`
    : `The MCP server ${name} is not there: ${problem}`;

/** Results are for a model to read: one that does not fit its schema says more than an error in its place. */
const TRUSTING: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: <Value>(): JsonSchemaValidator<Value> => {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined });
  },
};

/** Ends a process that did not end with its input. */
function end(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Loaded with the first server, and in the background. */
const protocol = () => import('@modelcontextprotocol/client');

/** What a connection tells beside its messages. */
interface Told {
  readonly onPrinted: (text: string) => void;
  readonly onTooMuch: (why: Error) => void;
}

async function transportOf(
  config: ServerConfig,
  { cwd, env }: StartOptions,
  { onPrinted, onTooMuch }: Told,
): Promise<StdioClientTransport | Transport> {
  if (config.kind === 'stdio') {
    const stdio = await import('@modelcontextprotocol/client/stdio');
    const { command, args } = config;
    const transport = new stdio.StdioClientTransport({
      ...{ command, args: [...args], cwd: config.cwd ?? cwd },
      env: { ...stdio.getDefaultEnvironment(), ...env, ...config.env },
      ...{ stderr: 'pipe', maxBufferSize: MOST_MESSAGE_BYTES },
    });
    transport.stderr?.on('data', (chunk: Buffer) => onPrinted(chunk.toString('utf8')));
    return transport;
  }
  const { SSEClientTransport, StreamableHTTPClientTransport } = await protocol();
  const own = { requestInit: { headers: { ...config.headers } }, fetch: fetchWithin(onTooMuch) };
  const url = new URL(config.url);
  return config.kind === 'sse'
    ? new SSEClientTransport(url, own)
    : new StreamableHTTPClientTransport(url, own);
}
