import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMemdir, inMemoryFolder } from '../src/index.ts';
import type { NewMemory } from '../src/save.ts';

export const NOW = Date.parse('2026-11-30T12:00:00Z');
export const DAY_MS = 86_400_000;

/** Real folders of memory beside the checkout; empty where they are not, and tests on them are skipped by name. */
const SHARED = new URL('../../../../shared/memories/', import.meta.url).pathname;
export const REAL_FOLDERS = existsSync(SHARED)
  ? readdirSync(SHARED).filter((name) => existsSync(join(SHARED, name, 'memory')))
  : [];
export const realPath = (...names: readonly string[]): string => join(SHARED, ...names);

/** A folder of its own that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-memdir-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A memory file as text. */
export const fileText = (
  name: string,
  body: string,
  { type = 'project', description = `About ${name}`, modified = '2026-11-29T12:00:00Z' } = {},
): string =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\nmodified: ${modified}\n---\n\n${body}\n`;

/** Memory without a disk, and its folder. */
export function testMemory(
  files: Readonly<Record<string, string>> = {},
  { isShared = false } = {},
) {
  const folder = inMemoryFolder(files);
  const clock = { nowMs: NOW };
  const memory = createMemdir({ folder, isShared, now: () => clock.nowMs });
  /** Every file of the folder, hidden ones too, as one text. */
  async function everything(): Promise<string> {
    const all = [''];
    for (const below of ['', '.archive', '.inbox']) {
      for (const { path } of (await folder.list(below)).files)
        all.push(`${path}\n${await textOf(path)}`);
    }
    for (const path of ['.tombstones.jsonl', '.index-lines.json']) all.push(await textOf(path));
    return all.join('\n');
  }
  const textOf = async (path: string): Promise<string> => (await folder.read(path))?.text ?? '';
  return { folder, memory, clock, everything, textOf };
}

export const newMemory = (
  name: string,
  body: string,
  more: Partial<NewMemory> = {},
): NewMemory => ({
  ...{ name, body, description: `About ${name}`, type: 'project' },
  ...more,
});
