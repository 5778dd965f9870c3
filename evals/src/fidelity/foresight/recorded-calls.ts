import type { Message, ToolUseBlock } from '@varve/messages';
import { demandOf } from '../../demand/demand.ts';
import { callsOf, kindOf } from '../facts/calls.ts';

/** A recorded call, as far as it says which files it is about. */
export interface RecordedCall {
  /** Of files that it changes. */
  readonly changes: readonly string[];
  /** What a change expects to find, and the names in it. */
  readonly units: ReadonlySet<string>;
  /** Whether it shows a file. */
  shows(path: string): boolean;
  touches(path: string): boolean;
}

/** The calls of a message, in order. */
export const recordedCalls = (message: Message): readonly RecordedCall[] =>
  callsOf(message).map((block) => recordedCall(block, message));

function recordedCall(block: ToolUseBlock, message: Message): RecordedCall {
  const call = kindOf(block);
  const changes = call.kind === 'change' ? call.changes.map(({ path }) => path) : [];
  const shows = (path: string): boolean => {
    if (call.kind === 'read') return isSame(call.path, path);
    return call.kind === 'command' && call.command.includes(lastOf(path));
  };
  return {
    changes,
    units: changes.length > 0 ? demandOf({ ...message, content: [block] }) : new Set(),
    shows,
    touches: (path) => shows(path) || changes.some((each) => isSame(each, path)),
  };
}

/** One of them is the end of the other. */
export const isSame = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
