import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { filesBelow, root } from './workspace.ts';

/** What finds files of its own beside its modules, and what has to be one copy with what a process loads beside the program. */
const LEFT_OUT =
  /^(?:node:|@vscode\/ripgrep|web-tree-sitter|tree-sitter-|@openfeature\/|@varve\/agent)/;
const DAY_MS = 86_400_000;

/**
 * A program in a few files, for tests that start it again and again: finding its modules is half of a start. Bundled once for
 * each state of the sources, inside of the agent's package, where what is left out is found.
 */
export function bundleProgram(program: string): Promise<string> {
  const known = bundled.get(program) ?? bundleOnce(program);
  bundled.set(program, known);
  return known;
}

/** Of this process. */
const bundled = new Map<string, Promise<string>>();

async function bundleOnce(program: string): Promise<string> {
  const cache = join(root, 'apps', 'agent', '.vitest');
  const folder = join(cache, `${basename(program, '.ts')}-${stateOfSources(program)}`);
  const file = join(folder, 'program.js');
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    if (Date.now() - statSync(old).mtimeMs > DAY_MS) rmSync(old, { recursive: true, force: true });
  }
  const made = mkdtempSync(join(cache, 'made-'));
  const build = await rolldown({
    input: { program },
    platform: 'node',
    external: LEFT_OUT,
    logLevel: 'silent',
  });
  await build.write({ dir: made, chunkFileNames: 'chunks/[name].js' });
  await build.close();
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(file)) throw error; // else another worker was first
  }
  return file;
}

const OTHERS = ['pnpm-lock.yaml', 'internal/src/bundle-program.ts'];

const isNoTest = (file: string): boolean => !file.endsWith('.test.ts');

/** A name for what all source files and the versions of dependencies are now. */
function stateOfSources(program: string): string {
  const files = ['packages', 'apps/agent'].flatMap((folder) =>
    filesBelow(join(root, folder), ['.ts', '.json']).filter(
      (file) => !/\/(?:test|examples)\//.test(file),
    ),
  );
  const hash = createHash('sha256');
  const own = relative(root, program);
  const [tests = ''] = /^.*\/test(?=\/)/.exec(own) ?? [];
  const beside = tests === '' ? [] : filesBelow(join(root, tests), ['.ts']).filter(isNoTest);
  for (const file of [...files, ...beside, own, ...OTHERS]) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
