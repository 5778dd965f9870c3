import { stringIn } from './input.ts';
import { onlyLooks } from './looks.ts';
import type { ToolCall } from './read-call.ts';

/** Whether a call may change something, in the working folder or outside of it. */
export function mayChange(call: ToolCall): boolean {
  switch (call.kind) {
    case 'shell':
      return !onlyLooks(call.command);
    case 'shell-output':
      return stringIn(call.input, ['chars', 'input', 'text']) !== undefined;
    case 'other':
      return !LOOKS.test(call.name.slice(call.name.search(/[^.:/_]+(?:_[^.:/_]+)*$/)));
    case 'edit':
    case 'write':
    case 'patch':
    case 'agent':
    case 'monitor':
    case 'stop':
      return true;
    default:
      return false;
  }
}

/** How tools begin that only look, whoever brought them. */
const LOOKS = /^_*(?:get|list|read|search|fetch|find|view|show|describe|think)(?![a-z])/i;
