import { isRecord } from '@varve/guards';
import type {
  AgentDefinition,
  DefinitionProblem,
  DefinitionSource,
  ParsedDefinition,
} from './definition.ts';

/** Reads the fields of a definition, whatever they were written in. */
export function readFields(
  values: Readonly<Record<string, unknown>>,
  source: DefinitionSource,
): ParsedDefinition {
  const problems: DefinitionProblem[] = [];
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const name = Object.hasOwn(SPELLINGS, key) ? (SPELLINGS[key] as string) : key;
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (value === undefined || isLeftOut(name, value)) continue;
    const read = reader?.(value);
    if (read !== undefined) fields[name] = read;
    else problems.push(problemOf(key, reader !== undefined));
  }
  problems.push(...missing(fields, problems));
  if (REQUIRED.some((name) => fields[name] === undefined) || isUnbounded(problems))
    return { kind: 'invalid', problems };
  const definition = { ...fields, source } as unknown as AgentDefinition;
  return { kind: 'definition', definition, problems };
}

const REQUIRED = ['name', 'description', 'prompt'] as const;

/** Spellings of other agents' files. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'max-turns': 'maxTurns',
  'disallowed-tools': 'disallowedTools',
  'initial-prompt': 'initialPrompt',
  'permission-mode': 'permissionMode',
  'mcp-servers': 'mcpServers',
  colour: 'color',
};

/** An empty `tools` may mean none or all, so it is not taken for left out. */
const isLeftOut = (name: string, value: unknown): boolean =>
  value === null ? name !== 'tools' : name === 'model' && value === 'inherit';

/** Without a list that nobody can read an agent would have every tool. */
const isUnbounded = (problems: readonly DefinitionProblem[]): boolean =>
  problems.some(({ field = '' }) => LISTS_OF_TOOLS.has(field));

const LISTS_OF_TOOLS: ReadonlySet<string> = new Set([
  'tools',
  'disallowedTools',
  'disallowed-tools',
]);

function problemOf(field: string, isKnown: boolean): DefinitionProblem {
  if (!isKnown) return { reason: 'unknown-field', field, text: 'No such field; it was left out.' };
  if (field === 'name') return { reason: 'bad-name', field, text: BAD_NAME };
  return {
    reason: 'bad-value',
    field,
    text: 'The value is not of the kind this field takes; it was left out.',
  };
}

const BAD_NAME = 'A name is made of lower case letters, digits and dashes, at most 64 of them.';

function missing(
  fields: Readonly<Record<string, unknown>>,
  problems: readonly DefinitionProblem[],
): DefinitionProblem[] {
  const told = new Set(problems.map(({ field }) => field));
  const absent = REQUIRED.filter((field) => fields[field] === undefined && !told.has(field));
  return absent.map((field) => ({ reason: 'missing', field, text: 'An agent needs this field.' }));
}

type Reader = (value: unknown) => unknown;

const text: Reader = (value) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().toWellFormed() : undefined;

const name: Reader = (value) =>
  typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) ? value : undefined;

/** A list, or names in one text with commas between them. */
const names: Reader = (value) => {
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
};

const count: Reader = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

const truth: Reader = (value) => (typeof value === 'boolean' ? value : undefined);

const record: Reader = (value) => (isRecord(value) && isJson(value, 0) ? value : undefined);

/** YAML has endless structures and numbers that JSON has not. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((part) => isJson(part, depth + 1));
}

const MAX_DEPTH = 100;

const READERS: Readonly<Record<string, Reader>> = {
  name,
  description: text,
  prompt: text,
  tools: names,
  disallowedTools: names,
  model: text,
  maxTurns: count,
  initialPrompt: text,
  effort: text,
  memory: text,
  color: text,
  background: truth,
  isolation: text,
  permissionMode: text,
  skills: names,
  mcpServers: record,
  hooks: record,
};
