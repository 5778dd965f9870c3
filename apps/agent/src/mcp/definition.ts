import { createHash } from 'node:crypto';
import type { Tool as FoundTool } from '@modelcontextprotocol/client';
import { recordOf } from '@varve/guards';
import type { Tool as ToolDefinition } from '@varve/messages';
import { clean } from '../ui/clean.ts';

type NamedDefinition = ToolDefinition & { readonly name: string };

const MOST_NAME_CHARS = 64;
const MOST_TEXT_CHARS = 4_000;
const MOST_DEFINITION_CHARS = 50_000;

/** A tool as every provider takes it, or why none would: one that does not fit would have each request refused. */
export function definitionFrom(
  server: string,
  { name: ownName, description = '', inputSchema }: FoundTool,
):
  | { readonly kind: 'fits'; readonly definition: NamedDefinition }
  | { readonly kind: 'unfit'; readonly reason: string } {
  const { $schema: _, oneOf, anyOf, allOf, ...schema } = recordOf(inputSchema);
  const properties = recordOf(schema.properties);
  const misnamed = Object.keys(properties).find((key) => !/^[\w.-]{1,64}$/.test(key));
  if (misnamed !== undefined)
    return { kind: 'unfit', reason: 'a field has a name that providers refuse' };
  const definition = {
    name: toolName(server, ownName),
    description: cleanText(description),
    input_schema: { ...schema, type: 'object', properties },
  };
  if (JSON.stringify(definition).length > MOST_DEFINITION_CHARS)
    return { kind: 'unfit', reason: 'its definition is very large' };
  return { kind: 'fits', definition };
}

/** `mcp__server__tool`; what providers do not take is replaced, and what would be too long ends in a fingerprint. */
function toolName(server: string, ownName: string): string {
  const name = `mcp__${server}__${ownName.replaceAll(/[^\w-]/g, '_')}`;
  if (name.length <= MOST_NAME_CHARS && name.endsWith(ownName)) return name;
  const mark = createHash('sha256').update(ownName).digest('hex').slice(0, 6);
  return `${name.slice(0, MOST_NAME_CHARS - mark.length - 1)}_${mark}`;
}

/** A text of a server: without escape sequences, for a screen and for a model, and not without end. */
export function cleanText(text: string): string {
  const whole = clean(text.slice(0, MOST_TEXT_CHARS * 2)).trim();
  return whole.length <= MOST_TEXT_CHARS ? whole : `${whole.slice(0, MOST_TEXT_CHARS)}…`;
}
