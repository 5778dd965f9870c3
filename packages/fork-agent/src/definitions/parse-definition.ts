import { parseDocument } from 'yaml';
import type { DefinitionProblem, DefinitionSource, ParsedDefinition } from './definition.ts';
import { isRecord, readFields } from './read-fields.ts';

export interface ParseDefinitionOptions {
  /** @default 'project' */
  readonly source?: DefinitionSource | undefined;
}

/** An agent from Markdown: YAML front matter, and the body as its system prompt. Never throws. */
export function parseAgentDefinition(
  markdown: string,
  { source = 'project' }: ParseDefinitionOptions = {},
): ParsedDefinition {
  const found = FRONT_MATTER.exec(markdown);
  if (!found)
    return invalid('no-front-matter', 'Begin the file with front matter between --- lines.');
  const [, head = '', body = ''] = found;
  const values = readYaml(head);
  if (!isRecord(values))
    return invalid('bad-front-matter', 'The front matter is no list of YAML fields.');
  return readFields({ ...values, prompt: body.trim() }, source);
}

/** A byte order mark and carriage returns are how some editors save. */
const FRONT_MATTER =
  /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n|(?<=\n))---[ \t]*(?:\r?\n([\s\S]*))?$/;

/** Agents from settings: an object of definitions by name, each with a `prompt`. Never throws. */
export function parseAgentSettings(
  json: string,
  { source = 'command-line' }: ParseDefinitionOptions = {},
): readonly ParsedDefinition[] {
  const values = readJson(json);
  if (!isRecord(values))
    return [invalid('bad-json', 'The settings are no JSON object of agents by name.')];
  return Object.entries(values).map(([name, fields]) =>
    isRecord(fields)
      ? readFields({ ...fields, name }, source)
      : invalid('bad-value', 'An agent is an object of fields.', name),
  );
}

function invalid(
  reason: DefinitionProblem['reason'],
  text: string,
  field?: string,
): ParsedDefinition {
  return { kind: 'invalid', problems: [{ reason, ...(field !== undefined && { field }), text }] };
}

/** Undefined where it has errors, aliases that multiply included. */
function readYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 20 });
  } catch {
    return undefined; // `toJS` throws for too many aliases only
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
