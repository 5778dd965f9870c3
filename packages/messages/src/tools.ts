export { checkToolNames, toolLabel } from './tool-names.ts';
export { callSubject, inputTexts } from './tools/call-subject.ts';
export { editorKind, replacementsIn } from './tools/editing.ts';
export { type Input, stringIn } from './tools/input.ts';
export { mayChange } from './tools/may-change.ts';
export {
  bareName,
  isForeignTool,
  TOOL_KINDS,
  type ToolKind,
  toolKind,
  toolNames,
} from './tools/names.ts';
export { patchedFiles } from './tools/patch.ts';
export { pathsIn, plainPath } from './tools/paths.ts';
export { readCall, type ToolCall } from './tools/read-call.ts';
export { commandIn } from './tools/shell.ts';
export { shellCommand } from './tools/shell-command.ts';
