import { isRecord, recordOf } from '@varve/guards';
import type { ToolUseBlock } from '../types.ts';
import { editorKind } from './editing.ts';
import { type Input, stringIn } from './input.ts';
import { type ToolKind, toolKind } from './names.ts';
import { type PatchedFile, patchedFiles } from './patch.ts';
import { pathsIn } from './paths.ts';
import { commandIn } from './shell.ts';

/** What a tool call is, whatever the agent calls its tools. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: Input } & (
  | { readonly kind: 'shell'; readonly command: string; readonly folder: string | undefined }
  | { readonly kind: 'patch'; readonly files: readonly PatchedFile[] }
  | { readonly kind: 'edit' | 'write'; readonly path: string | undefined }
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: Exclude<ToolKind, 'shell' | 'edit' | 'write' | 'read'> | 'other' }
);

export interface ReadCallOptions {
  /** What a tool is by its name. @default toolKind */
  readonly kindOf?: ((name: string) => ToolKind | undefined) | undefined;
}

/**
 * Classifies a call by the shape of its input first and by its tool's name where the shape leaves it open. What changes files
 * or runs a command counts by its shape, whoever brought the tool. What speaks for the person (`ask`, `plan`) or keeps the
 * agent's own state (`todo`, tasks, skills) counts by its name alone: a shape can be had by any server's tool.
 */
export function readCall(
  { id, name, input: given }: Pick<ToolUseBlock, 'id' | 'name' | 'input'>,
  { kindOf = toolKind }: ReadCallOptions = {},
): ToolCall {
  const input: Input = isRecord(given) ? given : typeof given === 'string' ? { input: given } : {};
  const about = { id, name, input };
  const named = kindOf(name);
  const command = commandIn(input);
  const editor = editorKind(input);
  const files = patchIn(input, command);
  if (files.length > 0) return { ...about, kind: 'patch', files };
  if (editor === undefined && command !== undefined && SHELLS.has(named)) {
    return { ...about, kind: 'shell', command, folder: folderIn(input) };
  }
  const fileKind = editor ?? fileCall(input, named);
  if (fileKind === 'read') return { ...about, kind: 'read', paths: pathsIn(input) };
  if (fileKind !== undefined) return { ...about, kind: fileKind, path: pathsIn(input)[0] };
  return { ...about, kind: named === undefined || isPlain(named) ? 'other' : named };
}

/** Kinds whose calls carry a command to run, where they carry one. */
const SHELLS: ReadonlySet<ToolKind | undefined> = new Set(['shell', 'monitor', undefined]);
const folderIn = (input: Input): string | undefined =>
  stringIn(input, FOLDERS) ?? stringIn(recordOf(input.action), FOLDERS);

const FOLDERS = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir'];

/** Named kinds that need more than a name. */
const isPlain = (kind: ToolKind): kind is 'shell' | 'edit' | 'write' | 'read' =>
  kind === 'shell' || kind === 'edit' || kind === 'write' || kind === 'read';

const OLD = [
  'old_string',
  'oldString',
  'old_str',
  'oldText',
  'old_text',
  'search',
  'edits',
  'diff',
];
const NEW = ['content', 'contents', 'file_text', 'fileText', 'code_edit', 'insert_text', 'new_str'];

function fileCall(
  input: Input,
  named: ToolKind | undefined,
): 'edit' | 'write' | 'read' | undefined {
  const hasPath = pathsIn(input).length > 0;
  if (OLD.some((field) => field in input) && (hasPath || named === 'edit')) return 'edit';
  if (named === 'edit' && (hasPath || 'text' in input)) return 'edit';
  if (hasPath && NEW.some((field) => field in input) && named !== 'read') return 'write';
  if (named === 'write' && hasPath) return 'write';
  return hasPath && named === 'read' ? 'read' : undefined;
}

function patchIn(input: Input, command: string | undefined): readonly PatchedFile[] {
  const text = stringIn(input, ['input', 'patch', 'diff', 'patchText']) ?? command;
  return text === undefined ? [] : patchedFiles(text);
}
