import { aText, expected, isRecord } from '@varve/guards';
import type { Tool } from './types.ts';

/**
 * Refuses tools that no provider takes: two of one name, one without a name or with characters that none may have, and one
 * whose schema stands in a field of another library. `option` is what the caller named the list.
 *
 * @throws TypeError
 */
export function checkToolNames(tools: readonly Tool[], option = 'tools'): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const place = `${option}[${index}]`;
    const { name } = isRecord(tool) ? tool : {};
    if (!aText.fits(name)) throw expected(place, { what: 'a tool with a `name`' }, name);
    if (!isToolName(name)) throw expected(`${place}.name`, A_NAME, name);
    if (!hasOwnSchema(tool)) throw expected(`${place}.input_schema`, A_SCHEMA, tool.input_schema);
    if (names.has(name as string)) {
      throw new TypeError(`Expected \`${option}\` to have different names, got \`${name}\` twice`);
    }
    names.add(name as string);
  }
}

const A_NAME = { what: '1 to 128 letters, digits, `_` and `-`', quotes: true };
const A_SCHEMA = {
  what: 'an object, the JSON schema of the input, which belongs in no other field',
};

/** By the rule of Anthropic's API; OpenAI's takes 64 of the same characters. */
export const isToolName = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name);

/**
 * Whether the schema of a tool's input stands in `input_schema`, as an object. A tool without any is let pass, and so is one
 * with a type of its own: the provider defines it, or another API than Anthropic's.
 */
export function hasOwnSchema(tool: Tool): boolean {
  const { type, input_schema: schema } = tool;
  if (typeof type === 'string' && type !== 'custom') return true;
  if (schema === undefined) return !ELSEWHERE.some((field) => tool[field] !== undefined);
  return isRecord(schema);
}

/** Where the AI SDK and MCP, and OpenAI's functions, have it. */
const ELSEWHERE = ['inputSchema', 'parameters'];
