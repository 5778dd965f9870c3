import { commandKey } from '@varve/messages/tools';
import type { DoneCall } from './extractor.ts';

/** Programs that only show what is there: nothing to repeat, nothing measured. */
const LOOKS =
  /^(?:cat|head|tail|sed -n|nl|ls|pwd|wc|find|fd|rg|grep|tree|echo|which|git (?:status|log|diff|show|branch|grep|ls-files)|stat|file|sleep|cd|ps|pgrep|diff|cmp|test|\[)(?![\w-])/;

/** Whether a command only looks. */
export function isLook(command: string): boolean {
  return LOOKS.test(command);
}

/** A search that finds nothing and a comparison that finds a difference end with a code of 1: an answer, not an error. */
export function isMiss({ call, outcome, text }: DoneCall): boolean {
  if (call.kind === 'search') return true;
  if (call.kind !== 'shell') return false;
  const command = commandKey(call.command);
  if (/^ls\b/.test(command)) return true;
  return outcome.exitCode === 1 && isLook(command) && !/error|usage:/i.test(text);
}
