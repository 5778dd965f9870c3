import { expected, isRecord, textOf } from '@varve/guards';
import type { Tool } from './types.ts';

/**
 * Refuses tools that no provider takes: two of one name, one without a name or with characters that none may have, and one
 * whose schema stands in a field of another library or that JSON cannot write. `option` is what the caller named the list.
 *
 * @throws TypeError
 */
export function checkToolNames(tools: readonly Tool[], option = 'tools'): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const place = `${option}[${index}]`;
    const { name } = isRecord(tool) ? tool : {};
    if (!(isRecord(tool) && isUnnamed(tool))) {
      if (textOf(name).trim() === '') throw expected(place, { what: 'a tool with a `name`' }, name);
      if (!isToolName(name)) throw expected(`${place}.name`, A_NAME, name);
    }
    if (!hasOwnSchema(tool)) throw expected(`${place}.input_schema`, A_SCHEMA, tool.input_schema);
    if (!isWritable(tool)) throw expected(place, A_TOOL, tool);
    if (name === undefined) continue;
    if (names.has(name as string)) {
      throw new TypeError(`Expected \`${option}\` to have different names, got \`${name}\` twice`);
    }
    names.add(name as string);
  }
}

const A_NAME = { what: '1 to 128 letters, digits, `_` and `-`', quotes: true };
const A_SCHEMA = {
  what: "an object, the JSON schema of the input, whose `type` is 'object' and which belongs in no other field",
};

const A_TOOL = {
  what: 'a tool that can be written as JSON: without cycles, and not nested too deeply',
};

function isWritable(tool: Tool): boolean {
  try {
    return JSON.stringify(tool) !== undefined;
  } catch {
    return false; // a cycle, a BigInt, a getter that throws, or too deep
  }
}

/** By the rule of Anthropic's API; OpenAI's takes 64 of the same characters. */
export const isToolName = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name);

/** Whether a tool has a name that a provider takes, or needs none. */
export const isNamed = (tool: Tool): boolean => isUnnamed(tool) || isToolName(tool.name);

/** A tool of the provider without a name, such as `{ type: 'mcp_toolset', mcp_server_name: 'a' }`. */
const isUnnamed = ({ name, type }: Tool): boolean => name === undefined && isProviders(type);

/** What tells a tool from others: its name, or the type and server of one that has none. */
export function toolLabel({
  name,
  type,
  mcp_server_name: server,
  server_label: label,
}: Tool): string {
  if (name !== undefined) return name;
  return [type, server ?? label].filter((part) => typeof part === 'string').join(' ');
}

/** A type of its own is the provider's; these two are functions of the caller, in the words of Anthropic and of OpenAI. */
const isProviders = (type: unknown): boolean =>
  typeof type === 'string' && type !== '' && type !== 'custom' && type !== 'function';

/**
 * Whether the schema of a tool's input stands in `input_schema`, as an object. A tool without any is let pass, and so is one
 * with a type of its own: the provider defines it, or another API than Anthropic's.
 */
export function hasOwnSchema(tool: Tool): boolean {
  const { type, input_schema: schema } = tool;
  if (typeof type === 'string' && type !== 'custom') return true;
  if (schema === undefined) return !ELSEWHERE.some((field) => tool[field] !== undefined);
  return isRecord(schema) && (schema.type === undefined || schema.type === 'object');
}

/** Whether it is a tool of the caller that says nothing of its input. */
export const lacksSchema = ({ type, input_schema: schema }: Tool): boolean =>
  schema === undefined && (type === undefined || type === 'custom');

/** Where the AI SDK and MCP, and OpenAI's functions, have it. */
const ELSEWHERE = ['inputSchema', 'parameters'];
