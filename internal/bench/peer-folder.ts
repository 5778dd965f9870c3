import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../src/run-command.ts';
import { root } from '../src/workspace.ts';

/**
 * Where a package too large for the workspace is installed: a folder of its own that is filled the first time, and that
 * `--peers` asks for. Nothing of it is built: install scripts do not run.
 */
export async function peerFolder(name: string, version: string): Promise<string> {
  const folder = join(
    root,
    'node_modules',
    '.cache',
    'peers',
    `${name.replace('/', '+')}@${version}`,
  );
  const installed = join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const filling = `${folder}.${process.pid}`;
  mkdirSync(filling, { recursive: true });
  writeFileSync(join(filling, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  const { code, output } = await runCommand('npm', ['install', ...flags, `${name}@${version}`], {
    cwd: filling,
  });
  if (code === 0) renameSync(filling, folder);
  else rmSync(filling, { recursive: true, force: true });
  if (code === 0) return installed;
  throw new Error(
    `${name} ${version} could not be installed; leave --peers out. npm said: ${output}`,
  );
}
