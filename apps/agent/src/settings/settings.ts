import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { codeOf, isRecord } from '@varve/guards';
import { z } from 'zod';
import type { AgentSettings } from '../agents/definitions.ts';
import { type CommandHook, readHooks } from '../hooks/events.ts';
import { isWithin, projectRoot, realPathOf } from '../permissions/paths.ts';
import { PERMISSION_MODES, type PermissionMode } from '../permissions/permissions.ts';
import { type Rule, readRule } from '../permissions/rules.ts';

/** Whose a settings file is; a later one wins. */
export type SettingsLevel = 'user' | 'project' | 'local' | 'flags' | 'managed';
const LEVELS: readonly SettingsLevel[] = ['user', 'project', 'local', 'flags', 'managed'];

/** A settings file as it was found. */
export interface SettingsFile {
  readonly level: SettingsLevel;
  readonly path: string;
  /** What a path of a rule with one slash in front starts from. */
  readonly base: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What all files say together. */
export interface Settings {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
  readonly mode?: PermissionMode | undefined;
  readonly folders: readonly string[];
  readonly hooks: readonly CommandHook[];
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string | undefined;
  readonly outputStyle?: string | undefined;
  /** As they were found, by name. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** Agents by name, of each file. */
  readonly agents: readonly AgentSettings[];
  /** Of our own part: how often agents at work are asked what they do, in seconds; 0 for never. */
  readonly progressSeconds?: number | undefined;
  /** Of our own part: the switches of layers, as they stand there, and the model of small work. */
  readonly layers: Readonly<Record<string, unknown>>;
  readonly smallModel?: string | undefined;
}

/** What `/doctor` says of settings: nothing of it is silent. */
export interface SettingsProblem {
  readonly path: string;
  readonly text: string;
  /** `unknown` keys are kept and do nothing; of a `broken` file nothing holds, its deny rules included. */
  readonly kind: 'unknown' | 'useless' | 'broken';
}

export interface FoundSettings {
  /** Whether files of `.claude` are read as well. */
  readonly isCompatible: boolean;
  readonly files: readonly SettingsFile[];
  readonly problems: readonly SettingsProblem[];
  /** The folder whose settings are the project's. */
  readonly root: string;
}

export interface FindSettingsOptions {
  readonly cwd: string;
  readonly configDir: string;
  /** @default that of the user */
  readonly home?: string | undefined;
  /** Folders with settings that nobody can override. @default those of the system */
  readonly managed?: readonly string[] | undefined;
  /** Of `--settings`. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined;
}

const MOST_BYTES = 1_000_000;
const MANAGED =
  process.platform === 'darwin'
    ? ['/Library/Application Support/varve', '/Library/Application Support/ClaudeCode']
    : ['/etc/varve', '/etc/claude-code'];

/** Reads the settings files that there are, those of `.claude` too unless `compat` is false. */
export function findSettings(options: FindSettingsOptions): FoundSettings {
  const { cwd, configDir, home = homedir(), managed = MANAGED, flags } = options;
  const root = projectRoot(cwd);
  const files: SettingsFile[] = [];
  const problems: SettingsProblem[] = [];
  const take = (level: SettingsLevel, folder: string, name: string, base: string): void => {
    const path = join(folder, name);
    const read = readSettingsFile(
      path,
      level === 'project' || level === 'local' ? root : undefined,
    );
    if (read.kind === 'values') files.push({ level, path, base, values: read.values });
    if (read.kind === 'broken') problems.push({ path, kind: 'broken', text: read.reason });
  };
  const folders = root === cwd ? [root] : [root, cwd];
  const takeAll = (dot: '.claude' | '.varve'): void => {
    const isOurs = dot === '.varve';
    take('user', isOurs ? configDir : join(home, dot), 'settings.json', home);
    for (const folder of folders) take('project', join(folder, dot), 'settings.json', folder);
    for (const folder of folders) take('local', join(folder, dot), 'settings.local.json', folder);
    const [ours = '', theirs = ''] = managed;
    if (isOurs) take('managed', ours, 'settings.json', '/');
    else take('managed', theirs, 'managed-settings.json', '/');
  };
  takeAll('.varve');
  if (flags !== undefined)
    files.push({ level: 'flags', path: '--settings', base: cwd, values: flags });
  // A project cannot take away what a person has in `.claude`, such as deny rules.
  const isCompatible = files.every(
    ({ level, values }) => level === 'project' || level === 'local' || values.compat !== false,
  );
  const ours = files.splice(0);
  if (isCompatible) takeAll('.claude');
  files.push(...ours); // of one level, ours win
  const servers = join(root, '.mcp.json');
  const read = readSettingsFile(servers, root);
  if (read.kind === 'broken') problems.push({ path: servers, kind: 'useless', text: read.reason });
  if (read.kind === 'values') {
    const values = { mcpServers: read.values.mcpServers ?? {} };
    files.push({ level: 'project', path: servers, base: root, values });
  }
  files.sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return { files, problems, root, isCompatible };
}

type ReadFile =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly reason: string };

/** Reads a file of settings. */
export function readSettingsFile(path: string, within?: string): ReadFile {
  const read = readText(path, within);
  if (read.kind !== 'text') return read;
  try {
    const values: unknown = JSON.parse(read.text);
    return isRecord(values)
      ? { kind: 'values', values }
      : { kind: 'broken', reason: 'it is no object' };
  } catch {
    return { kind: 'broken', reason: 'it is no JSON' };
  }
}

type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly reason: string };

/** The text of a small file. One of a project that leads out of it is not read. */
export function readText(path: string, within?: string): ReadText {
  try {
    if (!existsSync(path)) return { kind: 'none' };
    if (within !== undefined && !isWithin(realPathOf(within), realPathOf(path)))
      return { kind: 'broken', reason: 'it leads out of the project' };
    const found = lstatSync(realPathOf(path));
    if (!found.isFile()) return { kind: 'broken', reason: 'it is no file' };
    if (found.size > MOST_BYTES) return { kind: 'broken', reason: 'it is very large' };
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    return text.trim() === '' ? { kind: 'none' } : { kind: 'text', text };
  } catch (error) {
    return { kind: 'broken', reason: codeOf(error) ?? String(error) };
  }
}

/** Keys that are read from a file. Those of others that do nothing here are named as unknown. */
export const KNOWN: ReadonlySet<string> = new Set([
  '$schema',
  'permissions',
  'hooks',
  'env',
  'model',
  'outputStyle',
  'mcpServers',
  'agents',
  'varve',
  'compat',
]);
export const KNOWN_PERMISSIONS: ReadonlySet<string> = new Set([
  'allow',
  'ask',
  'deny',
  'defaultMode',
  'additionalDirectories',
]);
/** Keys of `varve`. */
const KNOWN_VARVE: ReadonlySet<string> = new Set(['progressSeconds', 'layers', 'smallModel']);

/** Puts files together: lists join, of anything else the later file wins. */
export function mergeSettings(
  files: readonly SettingsFile[],
  tools: readonly string[] = [],
): { readonly settings: Settings; readonly problems: readonly SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const lists = { allow: [] as Rule[], ask: [] as Rule[], deny: [] as Rule[] };
  const folders: string[] = [];
  const hooks: CommandHook[] = [];
  const merged: {
    -readonly [Key in
      | 'mode'
      | 'model'
      | 'outputStyle'
      | 'smallModel'
      | 'progressSeconds']?: Settings[Key];
  } = {};
  const env: Record<string, string> = {};
  const mcpServers: Record<string, unknown> = {};
  const layers: Record<string, unknown> = {};
  const agents: AgentSettings[] = [];
  for (const { level, path, base, values } of files) {
    const problem = (text: string, kind: SettingsProblem['kind'] = 'useless') =>
      problems.push({ path, text, kind });
    const read = <Value>(
      name: string,
      schema: z.ZodType<Value>,
      value: unknown,
    ): Value | undefined => {
      if (value === undefined) return undefined;
      const result = schema.safeParse(value);
      if (!result.success)
        problem(`${name}: ${result.error.issues[0]?.message ?? 'it cannot be read'}`);
      return result.data;
    };
    for (const key of Object.keys(values)) if (!KNOWN.has(key)) problem(key, 'unknown');
    const permissions = read('permissions', RECORD, values.permissions) ?? {};
    for (const key of Object.keys(permissions))
      if (!KNOWN_PERMISSIONS.has(key)) problem(`permissions.${key}`, 'unknown');
    for (const list of ['allow', 'ask', 'deny'] as const) {
      for (const text of read(`permissions.${list}`, LIST, permissions[list]) ?? []) {
        const rule = typeof text === 'string' ? readRule(text, base, tools) : NO_TEXT;
        if (rule.kind === 'rule') lists[list].push(rule.rule);
        else problem(`permissions.${list}: ${rule.reason}`);
      }
    }
    merged.mode = read('permissions.defaultMode', MODE, permissions.defaultMode) ?? merged.mode;
    folders.push(
      ...(read('permissions.additionalDirectories', TEXTS, permissions.additionalDirectories) ??
        []),
    );
    if (values.hooks !== undefined) {
      const found = readHooks(values.hooks);
      hooks.push(...found.hooks);
      for (const text of found.problems) problem(text);
    }
    Object.assign(env, read('env', ENVIRONMENT, values.env));
    merged.model = read('model', TEXT, values.model) ?? merged.model;
    merged.outputStyle = read('outputStyle', TEXT, values.outputStyle) ?? merged.outputStyle;
    Object.assign(mcpServers, read('mcpServers', RECORD, values.mcpServers));
    const own = read('agents', RECORD, values.agents);
    if (own !== undefined) agents.push({ level, path, value: own });
    const varve = read('varve', RECORD, values.varve) ?? {};
    for (const key of Object.keys(varve))
      if (!KNOWN_VARVE.has(key)) problem(`varve.${key}`, 'unknown');
    Object.assign(layers, read('varve.layers', RECORD, varve.layers));
    const seconds = read('varve.progressSeconds', z.number().min(0), varve.progressSeconds);
    merged.progressSeconds = seconds ?? merged.progressSeconds;
    merged.smallModel = read('varve.smallModel', TEXT, varve.smallModel) ?? merged.smallModel;
  }
  return {
    settings: { ...lists, ...merged, folders, hooks, env, mcpServers, agents, layers },
    problems,
  };
}

const RECORD = z.record(z.string(), z.unknown());
const LIST = z.array(z.unknown());
const TEXT = z.string().min(1);
const TEXTS = z.array(z.string());
const MODE = z.enum(PERMISSION_MODES);
const ENVIRONMENT = z.record(z.string(), z.coerce.string());
const NO_TEXT = { kind: 'useless', reason: 'a rule is to be a text' } as const;
