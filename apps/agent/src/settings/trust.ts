import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseAgentDefinition } from '@varve/fork-agent/definitions';
import { isRecord, listOf, recordOf, textOf } from '@varve/guards';
import { projectAgents, wishesOf as wishesOfAgent } from '../agents/definitions.ts';
import { shownServers } from '../mcp/config.ts';
import { isWithin, realPathOf } from '../permissions/paths.ts';
import {
  type FoundSettings,
  KNOWN,
  KNOWN_PERMISSIONS,
  readSettingsFile,
  type SettingsFile,
} from './settings.ts';

/** What of a project's settings nobody but the project asked for, and that runs or allows something. */
export interface Untrusted {
  /** What a person is shown: the file, and what it wants. */
  readonly items: readonly { readonly path: string; readonly text: string }[];
  readonly hash: string;
  /** Files that the model reads all the same. */
  readonly sent?: readonly string[] | undefined;
}

/** Keys that only forbid, ask, or choose among what is harmless. Those that are not known do nothing. */
const HARMLESS = new Set(['$schema', 'compat', 'model', 'outputStyle']);
const HARMLESS_PERMISSIONS = new Set(['ask', 'deny']);
const isHarmless = (name: string) => HARMLESS.has(name) || !KNOWN.has(name);
const isHarmlessPermission = (name: string) =>
  HARMLESS_PERMISSIONS.has(name) || !KNOWN_PERMISSIONS.has(name);

const isOfProject = ({ level }: SettingsFile): boolean => level === 'project' || level === 'local';

/** What is to be trusted before it holds; undefined where there is nothing of the kind. */
export function untrustedOf({
  root,
  cwd,
  isCompatible,
  files,
}: FoundSettings & { readonly cwd: string }): Untrusted | undefined {
  const hash = createHash('sha256');
  const items: { path: string; text: string }[] = [];
  const add = (path: string, name: string, value: unknown): void => {
    const text = JSON.stringify(value) ?? '';
    const said = name === 'mcpServers' ? shownServers(value) : [text];
    for (const each of said)
      items.push({ path: relative(root, path) || path, text: `${name}: ${each}` });
    hash.update(JSON.stringify([relative(root, path), name, text]));
    for (const script of scriptsIn({ root, cwd }, value)) hash.update(script);
  };
  for (const file of files.filter(isOfProject)) {
    const { permissions, ...others } = file.values;
    for (const [name, value] of Object.entries(others))
      if (!isHarmless(name)) add(file.path, name, value);
    for (const [name, value] of Object.entries(recordOf(permissions)))
      if (!isHarmlessPermission(name)) add(file.path, `permissions.${name}`, value);
  }
  for (const { path, text } of projectAgents({ cwd, root, isCompatible })) {
    const parsed = parseAgentDefinition(text);
    if (parsed.kind !== 'definition') continue;
    for (const name of wishesOfAgent(parsed.definition)) add(path, name, parsed.definition[name]);
  }
  return items.length === 0 ? undefined : { items, hash: hash.digest('hex') };
}

/** The files of the project that commands name: a trusted command would run what is in them. */
function* scriptsIn(
  { root, cwd }: { readonly root: string; readonly cwd: string },
  value: unknown,
): Generator<Buffer> {
  const within = realPathOf(root);
  for (const text of textsIn(value)) {
    const words = text
      .replaceAll(/["']|\$\{?(?:CLAUDE|VARVE)_PROJECT_DIR\}?\/?/g, '')
      .split(/[\s;&|()<>]+/);
    for (const word of new Set(words))
      for (const full of new Set([join(root, word), join(cwd, word), resolve(word)])) {
        const path = realPathOf(full);
        if (word === '' || !isWithin(within, path)) continue;
        const found = statSync(path, { throwIfNoEntry: false });
        if (found?.isFile()) yield readFileSync(path);
      }
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isRecord(value)) for (const each of Object.values(value)) yield* textsIn(each);
}

/** Files without what is not trusted: what forbids and asks holds from the start. */
export function withoutUntrusted(files: readonly SettingsFile[]): SettingsFile[] {
  return files.map((file) => {
    if (!isOfProject(file)) return file;
    const keep = (fields: object, isKept: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
    const permissions = keep(recordOf(file.values.permissions), isHarmlessPermission);
    return { ...file, values: { ...keep(file.values, isHarmless), permissions } };
  });
}

/** What a person trusts, kept in one file of theirs: of a folder the hash of what it wants. */
export function createTrust(configDir: string) {
  const path = join(configDir, 'trust.json');
  const load = (): Record<string, unknown> => {
    const read = readSettingsFile(path);
    return read.kind === 'values' ? { ...recordOf(read.values.folders) } : {};
  };
  return {
    isTrusted: (root: string, { hash }: Untrusted): boolean =>
      listOf(load()[realPathOf(root)]).map(textOf).includes(hash),
    trust(root: string, { hash }: Untrusted): void {
      const folders = { ...load(), [realPathOf(root)]: [hash] };
      mkdirSync(dirname(path), { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify({ folders }, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}
