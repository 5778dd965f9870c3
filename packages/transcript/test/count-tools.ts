import { type Entry, toolResults, toolUses } from '@varve/messages';
import type { ImportedSession } from '../src/import.ts';

/** Tool calls and tool results of a session. */
export interface ToolCounts {
  readonly calls: number;
  readonly results: number;
  /** How many of the calls and results are sub-agents'. */
  readonly subAgentCalls: number;
  readonly subAgentResults: number;
}

/** Counts what the file recorded: what the import made up to keep a thread whole (origin `synthetic`) is left out. */
export function countTools({ threads }: Pick<ImportedSession, 'threads'>): ToolCounts {
  const [all, own] = [threads, threads.filter(({ kind }) => kind === 'sub-agent')].map(
    (counted) => {
      const messages = counted.flatMap(({ entries }) => entries.flatMap(recordedMessage));
      return {
        calls: messages.reduce((sum, message) => sum + toolUses(message).length, 0),
        results: messages.reduce((sum, message) => sum + toolResults(message).length, 0),
      };
    },
  );
  return {
    calls: all?.calls ?? 0,
    results: all?.results ?? 0,
    subAgentCalls: own?.calls ?? 0,
    subAgentResults: own?.results ?? 0,
  };
}

const recordedMessage = (entry: Entry) =>
  entry.type === 'message' && entry.message.origin?.kind !== 'synthetic' ? [entry.message] : [];
