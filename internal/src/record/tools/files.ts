import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, relative, sep } from 'node:path';
import type { Workspace } from '../workspace.ts';

/** Files below a path of the project, relative to its root, sorted; `node_modules` and hidden folders are left out. */
export function projectFiles(workspace: Workspace, path = '.'): string[] {
  const start = workspace.absolute(path);
  if (statSync(start).isFile()) return [workspace.relative(path)];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workspace.root, join(entry.parentPath, entry.name)))
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !/(^|\/)(node_modules|\.[^/]+)\//.test(file))
    .sort(byCodeUnit);
}

/** A pattern without a slash is compared with file names, one with a slash with whole relative paths. */
export function matchesPattern(file: string, pattern: string): boolean {
  return pattern.includes('/')
    ? matchesGlob(file, pattern)
    : matchesGlob(file.slice(file.lastIndexOf('/') + 1), pattern);
}

/** The lines of a file without their line ends, or `undefined` when it is not text. */
export function textLines(path: string): string[] | undefined {
  const text = readFileSync(path, 'utf8');
  if (text.includes('\0')) return undefined;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
