export { type NamedKind, namedKind } from './tools/names.ts';
export { type PatchedFile, patchedFiles } from './tools/patch.ts';
export { type Input, isInput, readCall, stringIn, type ToolCall } from './tools/read-call.ts';
export { changedFolder, commandKey } from './tools/shell.ts';
export { type ShellFiles, shellFiles } from './tools/shell-files.ts';
