import type { Origin } from '@varve/messages';
import type { ClaudeRecord } from './claude-code-record.ts';
import type { ClaudeThread } from './claude-code-threads.ts';
import { textOf } from './json.ts';

/**
 * Finds where a conversation does not go on from its last record: a prompt without a parent begins anew (`/clear`), and a
 * second prompt under one parent takes the conversation back to the first (a rewind).
 */
export function createBranches() {
  const prompts = new Map<string, string>();

  return {
    /** Prompts before a compaction are out of reach. */
    reset: () => prompts.clear(),
    /** Called with each user record that holds no result, before it becomes a message. */
    take(thread: ClaudeThread, { record, uuid, at }: ClaudeRecord, origin: Origin | undefined) {
      if (record.isSidechain === true) return;
      const parent = textOf(record.parentUuid);
      if (record.parentUuid === null && thread.builder.messageCount() > 0) {
        thread.builder.span({ reason: 'recorded-clear', at });
        prompts.clear();
      }
      if (parent === undefined || origin !== undefined) return;
      const dropFromId = thread.messages.get(prompts.get(parent) ?? '');
      if (dropFromId !== undefined) {
        thread.builder.span({ reason: 'recorded-rewind', dropFromId, at });
      }
      prompts.set(parent, uuid);
    },
  };
}
