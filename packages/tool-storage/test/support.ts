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

export const LINE = 'a line of a build that says nothing of note\n';

/** Text of so many units, made of lines that are all different. */
export function longText(units: number, name = 'line'): string {
  const lines: string[] = [];
  for (let length = 0; length < units; length += lines.at(-1)?.length ?? 0) {
    lines.push(`${name} ${lines.length}: ${LINE}`);
  }
  return lines.join('').slice(0, units);
}

export const memoryStorage = (options: Partial<ToolStorageOptions> = {}) =>
  createToolStorage({ store: memoryStore(), sessionId: 's1', ...options });

export const output = (toolUseId: string, content: string, toolName = 'bash') => ({
  toolUseId,
  toolName,
  content,
});

/** The text of what is shown in place of a text. */
export const shownText = ({ content }: { readonly content: unknown }): string => String(content);
