import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '@varve/messages';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-transcript-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function userEntry(id: string, text: string): Entry {
  const content = [{ type: 'text', text }];
  return {
    id,
    at: '2026-01-02T03:04:05.000Z',
    type: 'message',
    message: { id: `m-${id}`, role: 'user', content },
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
