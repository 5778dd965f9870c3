export { callSubject, inputTexts } from './tools/call-subject.ts';
export { editorKind, replacementsIn, type TextReplacement } from './tools/editing.ts';
export { type Input, stringIn } from './tools/input.ts';
export { type CommandUse, commandUse, onlyLooks } from './tools/looks.ts';
export { mayChange } from './tools/may-change.ts';
export {
  bareName,
  isForeignTool,
  TOOL_KINDS,
  type ToolKind,
  toolKind,
  toolNames,
} from './tools/names.ts';
export { type PatchedFile, patchedFiles } from './tools/patch.ts';
export { pathsIn, plainPath } from './tools/paths.ts';
export { type ReadCallOptions, readCall, type ToolCall } from './tools/read-call.ts';
export { changedFolder, commandIn, commandKey } from './tools/shell.ts';
export { type ShellFiles, shellFiles } from './tools/shell-files.ts';
