import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import type { Source } from './recording.ts';

export interface Scratch {
  /** Absolute path of the scratch project. */
  readonly dir: string;
  remove(): void;
}

/**
 * Copies the packages of a recording into a new folder of the system's temporary folder. They come from
 * `internal/node_modules`, so nothing is downloaded.
 *
 * @throws {Error} when a package is missing or has another version than the recording was written for.
 */
export function createScratch(sources: readonly Source[]): Scratch {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'varve-record-')));
  const dir = join(parent, 'project');
  mkdirSync(dir);
  for (const source of sources) copySource(source, join(dir, source.to ?? '.'));
  return { dir, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** The folder of an installed package. */
export function sourceFolder({ name, version }: Source): string {
  const folder = join(root, 'internal', 'node_modules', name);
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest))
    throw new Error(`${name} is not installed; run the package manager's install first`);
  const { version: installed } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  if (installed !== version)
    throw new Error(
      `the recording was written for ${name} ${version}, but ${installed} is installed`,
    );
  return realpathSync(folder);
}

function copySource(source: Source, target: string): void {
  const folder = sourceFolder(source);
  for (const part of source.only ?? ['.'])
    cpSync(join(folder, part), join(target, part), { recursive: true });
}
