import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createToolStorage, memoryStore } from '../src/index.ts';

/** A folder that is gone after the test, and after whatever the test itself does at its end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-tool-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const memoryStorage = (options: Partial<Parameters<typeof createToolStorage>[0]> = {}) =>
  createToolStorage({ store: memoryStore(), sessionId: 's1', ...options });

export const output = (toolUseId: string, content: string, toolName = 'bash') => ({
  toolUseId,
  toolName,
  content,
});

/** The text of what is shown in place of a text. */
export const shownText = ({ content }: { readonly content: unknown }): string => String(content);
