import { shellCommand } from '@varve/messages/tools';
import type { DoneCall } from './extractor.ts';

/** A search that finds nothing and a comparison that finds a difference end with a code of 1: an answer, not an error. */
export function isMiss({ call, outcome, text }: DoneCall): boolean {
  if (call.kind === 'search' || call.kind === 'list') return true;
  if (call.kind !== 'shell' || !shellCommand(call.command).onlyLooks) return false;
  if (/^ls\b/.test(shellCommand(call.command).key)) return true;
  return outcome.exitCode === 1 && !/error|usage:/i.test(text);
}
