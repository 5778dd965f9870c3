import { recordOf, textOf } from '@varve/guards';
import { redactJson } from '@varve/redact';
import { z } from 'zod';

/** How to reach an MCP server, with what the environment holds put in. */
export type ServerConfig = {
  readonly name: string;
  /** Milliseconds of a call without a sign of progress. */
  readonly timeoutMs?: number | undefined;
} & (
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
);

type Environment = Readonly<Record<string, string | undefined>>;

const COMMON = { timeout: z.number().positive().optional(), disabled: z.boolean().optional() };
const TEXTS = z.record(z.string(), z.coerce.string()).default({});
const LOCAL = z.object({
  ...COMMON,
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.coerce.string()).default([]),
  env: TEXTS,
  cwd: z.string().optional(),
});
const REMOTE = z.object({
  ...COMMON,
  type: z.enum(['http', 'streamable-http', 'sse']).default('http'),
  url: z.string().min(1),
  headers: TEXTS,
});

/** Reads `mcpServers` as people have it. What cannot be read is a problem and no server. */
export function readServers(found: unknown, env: Environment) {
  const servers: ServerConfig[] = [];
  const problems: string[] = [];
  for (const [label, value] of Object.entries(recordOf(found))) {
    const name = serverName(label);
    try {
      if (name === '') throw new Error('it needs a name of letters');
      if (servers.some((other) => other.name === name))
        throw new Error(`there is another one that is called ${name}`);
      const server = serverOf(name, value, env);
      if (server !== undefined) servers.push(server);
    } catch (error) {
      problems.push(`MCP server ${label}: ${(error as Error).message}`);
    }
  }
  return { servers, problems };
}

/** The servers one by one for a person who is to trust them, without what headers and variables keep secret. */
export const shownServers = (found: unknown): string[] =>
  Object.entries(recordOf(found)).map(([name, value]) => {
    const { headers, ...others } = recordOf(value);
    const hidden = Object.entries(recordOf(headers)).map(
      ([key, text]) => `${key}: ${variablesIn(textOf(text)) || '[hidden]'}`,
    );
    const all = [name, JSON.stringify(redactJson(others)), ...hidden];
    return all.join(' ');
  });

const variablesIn = (text: string): string =>
  (text.match(/\$\{\w+/g) ?? []).map((start) => `${start}}`).join(' ');

/** A name that fits into `mcp__server__tool`, where two lines end it. */
const serverName = (label: string): string =>
  label
    .replaceAll(/[^\w-]/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 32);

function serverOf(name: string, value: unknown, env: Environment): ServerConfig | undefined {
  const isLocal = typeof recordOf(value).command === 'string';
  const read = (isLocal ? LOCAL : REMOTE).safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
  }
  const { disabled, timeout: timeoutMs, ...config } = read.data;
  if (disabled) return undefined;
  const expand = (text: string) => expanded(text, env);
  const expandAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(text)]));
  if ('command' in config)
    return {
      ...{ name, timeoutMs, kind: 'stdio', command: expand(config.command) },
      ...{ args: config.args.map(expand), env: expandAll(config.env) },
      cwd: config.cwd === undefined ? undefined : expand(config.cwd),
    };
  const url = expand(config.url);
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new Error('url: it is no address of http or https');
  const kind = config.type === 'sse' ? 'sse' : 'http';
  return { name, timeoutMs, kind, url, headers: expandAll(config.headers) };
}

/** Puts `${NAME}` and `${NAME:-otherwise}` in. Throws where the environment has no such variable. */
function expanded(text: string, env: Environment): string {
  // Nothing is looked for where no brace closes it: else each that opens would read on to the end.
  const end = text.lastIndexOf('}') + 1;
  const put = (_: string, name: string, otherwise?: string) => {
    const value = env[name] ?? otherwise;
    if (value === undefined) throw new Error(`${name} is not in the environment`);
    return value;
  };
  return text.slice(0, end).replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, put) + text.slice(end);
}
