import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentDefinition,
  builtInAgents,
  mergeDefinitions,
  parseAgentDefinition,
  parseAgentSettings,
} from '@varve/fork-agent/definitions';
import { codeOf } from '@varve/guards';
import { EFFORTS, isEffort } from '../model.ts';
import { isWithin, realPathOf } from '../permissions/paths.ts';
import type { SettingsLevel } from '../settings/settings.ts';

/** Agents of a settings file, by name. */
export interface AgentSettings {
  readonly level: SettingsLevel;
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface FindAgentsOptions {
  readonly cwd: string;
  readonly root: string;
  readonly configDir: string;
  /** Whether files of other tools are read as well. */
  readonly isCompatible: boolean;
  /** @default that of the user */
  readonly home?: string | undefined;
  /** Of the settings that hold. */
  readonly settings?: readonly AgentSettings[] | undefined;
  /** Whether what agents of the project want to run and to allow holds. */
  readonly isTrusted: boolean;
}

/** The agents there are, and what of their definitions was left out. */
export interface FoundAgents {
  readonly definitions: readonly AgentDefinition[];
  readonly problems: readonly { readonly path: string; readonly text: string }[];
}

const MOST_BYTES = 1_000_000;
const MOST_FILES = 200;
const SOURCES = {
  ...({ user: 'user', project: 'project', local: 'project' } as const),
  ...({ flags: 'command-line', managed: 'policy' } as const),
} as const satisfies Record<SettingsLevel, AgentDefinition['source']>;

/** Finds the agents of files and settings beside the built-in ones; of those with one name the last holds. */
export function findAgents(options: FindAgentsOptions): FoundAgents {
  const { configDir, isCompatible, home = homedir(), settings = [], isTrusted } = options;
  const problems: { path: string; text: string }[] = [];
  const found: AgentDefinition[] = [...BUILT_IN];
  const take = (path: string, parsed: ReturnType<typeof parseAgentDefinition>): void => {
    for (const { field, text } of parsed.problems)
      problems.push({ path, text: field === undefined ? text : `${field}: ${text}` });
    if (parsed.kind !== 'definition') return;
    const { definition } = parsed;
    problems.push(...unusedIn(definition).map((text) => ({ path, text })));
    const wanted = isTrusted || definition.source !== 'project' ? [] : wishesOf(definition);
    for (const field of wanted)
      problems.push({ path, text: `${field}: left out until you trust it (--trust)` });
    found.push(without(definition, wanted));
  };
  const users = [...(isCompatible ? [join(home, '.claude')] : []), configDir];
  for (const folder of users)
    for (const { path, text } of filesIn(join(folder, 'agents'), undefined))
      take(path, parseAgentDefinition(text, { source: 'user' }));
  for (const { path, text } of projectAgents(options))
    take(path, parseAgentDefinition(text, { source: 'project' }));
  for (const { level, path, value } of settings)
    for (const parsed of parseAgentSettings(JSON.stringify(value), { source: SOURCES[level] }))
      take(path, parsed);
  return { definitions: mergeDefinitions(found), problems };
}

/** Names of the tools that start agents. */
export const AGENT_TOOLS = ['Task'];

const BUILT_IN = builtInAgents({
  editTools: ['Edit', 'Write', 'NotebookEdit'],
  agentTools: AGENT_TOOLS,
});

interface AgentFile {
  readonly path: string;
  readonly text: string;
}

/** The files of agents that came with a project. */
export function projectAgents({
  cwd,
  root,
  isCompatible,
}: Pick<FindAgentsOptions, 'cwd' | 'root' | 'isCompatible'>): AgentFile[] {
  const dots = isCompatible ? ['.claude', '.varve'] : ['.varve'];
  const folders = root === cwd ? [root] : [root, cwd];
  return folders.flatMap((folder) =>
    dots.flatMap((dot) => filesIn(join(folder, dot, 'agents'), root)),
  );
}

/** What a definition wants to run, or to be allowed. */
export function wishesOf(
  definition: AgentDefinition,
): ('hooks' | 'mcpServers' | 'permissionMode')[] {
  const { hooks, mcpServers, permissionMode } = definition;
  return [
    ...(hooks === undefined ? [] : (['hooks'] as const)),
    ...(mcpServers === undefined ? [] : (['mcpServers'] as const)),
    ...(permissionMode === undefined || NARROWING.has(permissionMode)
      ? []
      : (['permissionMode'] as const)),
  ];
}

/** What a definition says that does nothing, in words. */
export function unusedIn({ mcpServers, memory, effort }: AgentDefinition): string[] {
  return [
    ...(mcpServers === undefined
      ? []
      : ['mcpServers: does nothing, an agent has the servers of the session']),
    ...(memory === undefined ? [] : ['memory: does nothing, an agent has none of its own']),
    ...(effort === undefined || isEffort(effort)
      ? []
      : [`effort: ${effort} does nothing, it is ${EFFORTS.join(', ')}`]),
  ];
}

/** Modes that allow nothing beyond what is allowed anyway. */
const NARROWING: ReadonlySet<string> = new Set(['default', 'plan', 'dontAsk']);

const without = (definition: AgentDefinition, fields: readonly string[]): AgentDefinition =>
  Object.fromEntries(
    Object.entries(definition).filter(([name]) => !fields.includes(name)),
  ) as unknown as AgentDefinition;

/** A file that leads out of `within` is not read. */
function filesIn(folder: string, within: string | undefined): AgentFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
  return names
    .filter((name) => name.endsWith('.md'))
    .slice(0, MOST_FILES)
    .flatMap((name) => {
      const path = join(folder, name);
      const real = realPathOf(path);
      if (within !== undefined && !isWithin(realPathOf(within), real)) return [];
      const file = lstatSync(real, { throwIfNoEntry: false });
      if (!file?.isFile() || file.size > MOST_BYTES) return [];
      return [{ path, text: readFileSync(real, 'utf8') }];
    });
}
