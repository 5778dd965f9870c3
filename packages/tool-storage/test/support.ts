import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createToolStorage, memoryStore, type ToolStorageOptions } from '../src/index.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-tool-storage-'));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const memoryStorage = (options: Partial<ToolStorageOptions> = {}) =>
  createToolStorage({ store: memoryStore(), sessionId: 's1', ...options });

export const output = (toolUseId: string, content: string, toolName = 'bash') => ({
  toolUseId,
  toolName,
  content,
});

/** The text of what is shown in place of a text. */
export const shownText = ({ content }: { readonly content: unknown }): string => String(content);
