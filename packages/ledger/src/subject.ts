import { commandKey, onlyLooks, stringIn, type ToolCall } from '@varve/messages/tools';
import { oneLine } from './names.ts';

/** UTF-16 units. */
const MAX_SUBJECT = 300;

/** What a call is known by when it comes again: its command, its tool and files, else its tool. */
export function subjectOf(call: ToolCall): string {
  if (call.kind === 'shell') return oneLine(commandKey(call.command), MAX_SUBJECT);
  const about = aboutOf(call);
  return oneLine(`${call.name} ${about}`, MAX_SUBJECT);
}

function aboutOf(call: ToolCall): string {
  if (call.kind === 'edit' || call.kind === 'write') return call.path ?? '';
  if (call.kind === 'patch') return call.files.map(({ path }) => path).join(' ');
  if (call.kind === 'read') return call.paths.join(' ');
  return stringIn(call.input, TITLES) ?? '';
}

const TITLES = ['title', 'subject', 'name', 'description', 'id', 'url', 'query', 'prompt'];

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
