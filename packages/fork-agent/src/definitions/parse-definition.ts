import { isRecord } from '@varve/guards';
import type { DefinitionProblem, DefinitionSource, ParsedDefinition } from './definition.ts';
import { readFields } from './read-fields.ts';
import { readFrontMatter } from './read-front-matter.ts';

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
  if (head.length > MAX_UNITS) return invalid('bad-front-matter', TOO_LONG);
  const { values, problems } = readFrontMatter(head);
  if (!isRecord(values)) return invalid('bad-front-matter', NO_FIELDS);
  const parsed = readFields({ ...values, prompt: body.trim() }, source);
  return problems.length > 0 ? { ...parsed, problems: [...problems, ...parsed.problems] } : parsed;
}

/** UTF-16 units. The time a YAML parser takes grows with the square of the number of fields. */
const MAX_UNITS = 20_000;
const TOO_LONG = `The front matter has more than ${MAX_UNITS} characters; move text into the body.`;
const NO_FIELDS = 'The front matter is no list of YAML fields.';

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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
