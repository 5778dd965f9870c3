import type { ToolUseBlock } from '../types.ts';
import { type NamedKind, namedKind } from './names.ts';
import { type PatchedFile, patchedFiles } from './patch.ts';
import { commandIn } from './shell.ts';

/** What a tool call is, whatever the agent calls its tools. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: Input } & (
  | { readonly kind: 'shell'; readonly command: string; readonly folder: string | undefined }
  | { readonly kind: 'patch'; readonly files: readonly PatchedFile[] }
  | { readonly kind: 'edit' | 'write'; readonly path: string | undefined }
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: Exclude<NamedKind, 'shell' | 'edit' | 'write' | 'read'> | 'other' }
);

export type Input = Readonly<Record<string, unknown>>;

/**
 * Classifies a call by the shape of its input first and by its tool's name where the shape leaves it open. A tool that an MCP
 * server brought counts by its shape only: its name is whatever that server likes.
 */
export function readCall({ id, name, input: given }: ToolUseBlock): ToolCall {
  const input: Input = isInput(given) ? given : typeof given === 'string' ? { input: given } : {};
  const about = { id, name, input };
  const named = isForeign(name) ? undefined : namedKind(name);
  const command = commandIn(input);
  const editor = isEditor(input) ? (input.command as string) : undefined;
  const files = patchIn(input, command);
  if (files.length > 0) return { ...about, kind: 'patch', files };
  if (editor === undefined && command !== undefined && SHELLS.has(named)) {
    return { ...about, kind: 'shell', command, folder: stringIn(input, FOLDERS) };
  }
  const fileKind = editor === undefined ? fileCall(input, named) : editorKind(editor);
  if (fileKind === 'read') return { ...about, kind: 'read', paths: pathsIn(input) };
  if (fileKind !== undefined) return { ...about, kind: fileKind, path: pathsIn(input)[0] };
  if (named === undefined && !isForeign(name) && asks(input)) return { ...about, kind: 'ask' };
  if (named === undefined || PLAIN.has(named)) return { ...about, kind: 'other' };
  return { ...about, kind: named as 'todo' };
}

/** Kinds whose calls carry a command to run, where they carry one. */
const SHELLS: ReadonlySet<NamedKind | undefined> = new Set(['shell', 'monitor', undefined]);
/** Named kinds that need more than a name. */
const PLAIN: ReadonlySet<NamedKind> = new Set(['shell', 'edit', 'write', 'read']);
const FOLDERS = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir'];
const PATHS = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'filename',
  'file',
];
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
  named: NamedKind | undefined,
): 'edit' | 'write' | 'read' | undefined {
  const hasPath = pathsIn(input).length > 0;
  if (OLD.some((field) => field in input) && (hasPath || named === 'edit')) return 'edit';
  if (named === 'edit' && (hasPath || 'text' in input)) return 'edit';
  if (hasPath && NEW.some((field) => field in input) && named !== 'read') return 'write';
  if (named === 'write' && hasPath) return 'write';
  return hasPath && named === 'read' ? 'read' : undefined;
}

function isEditor(input: Input): boolean {
  const { path, command } = input;
  return typeof path === 'string' && typeof command === 'string' && EDITOR.test(command);
}

const EDITOR = /^(?:view|create|str_replace|insert|undo_edit|delete|rename)$/;

function editorKind(command: string): 'edit' | 'write' | 'read' {
  if (command === 'view') return 'read';
  return command === 'create' ? 'write' : 'edit';
}

/** Paths that a call names, in the order of its input. */
function pathsIn(input: Input): string[] {
  const one = stringIn(input, PATHS);
  if (one !== undefined) return [one];
  const many = input.paths ?? input.file_paths ?? input.files;
  return Array.isArray(many) ? many.filter((path) => typeof path === 'string') : [];
}

/** The first of some fields that holds a text. */
export function stringIn(input: Input, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = input[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function patchIn(input: Input, command: string | undefined): readonly PatchedFile[] {
  const text = stringIn(input, ['input', 'patch', 'diff', 'patchText']) ?? command;
  return text === undefined ? [] : patchedFiles(text);
}

/** A question with answers to pick from is put to the person. */
function asks(input: Input): boolean {
  const { questions, choices, options, question } = input;
  if (typeof question === 'string') return Array.isArray(choices) || Array.isArray(options);
  return Array.isArray(questions) && questions.every((one) => isInput(one) && 'options' in one);
}

const isForeign = (name: string): boolean => /^mcp(?:__|\.|:|\/)/i.test(name);

export const isInput = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
