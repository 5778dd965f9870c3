import { join } from 'node:path';
import { createProjection, type Entry, type View } from '@varve/messages';
import { importFile } from '@varve/transcript/node';
import { root } from '../workspace.ts';
import { createRequestHash } from './request-hash.ts';

/** What a log projects to: whatever changed with each entry, from its first message to its last. */
export function viewHash(entries: readonly Entry[]): string {
  const hash = createRequestHash();
  const projection = createProjection();
  let last: View | undefined;
  for (const entry of entries) {
    last = projection.append(entry);
    const { messages, changedFrom, open, head } = last;
    hash.messages(messages.slice(changedFrom));
    hash.text(JSON.stringify([changedFrom, head?.id, open?.assistant.id, open?.results]));
  }
  hash.messages(last?.messages ?? []);
  return `${entries.length} ${hash.digest()}`;
}

/** The views of all threads of a file in the format of another tool. */
export async function importHash(file: string): Promise<string> {
  const { threads } = await importFile(join(root, file));
  return threads.map(({ entries }) => viewHash(entries)).join(' ');
}
