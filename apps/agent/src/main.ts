#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Nothing else stands in this file: an older Node gets as far as the guard, and what is loaded behind the cache starts faster the next time. */
async function main(): Promise<number> {
  if (major < 22 || (major === 22 && minor < 18)) {
    process.stderr.write(
      `varve needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer one.\n`,
    );
    return 2;
  }
  const { argv, env } = process;
  const configDir = env.VARVE_CONFIG_DIR ?? join(homedir(), '.config', 'varve');
  const { enableCompileCache } = await import('node:module');
  const cache = join(configDir, 'compile-cache');
  if (env.NODE_COMPILE_CACHE === undefined && canMake(cache)) enableCompileCache(cache);
  const { runCommand } = await import('./command.ts');
  return runCommand({ argv: argv.slice(2), env, configDir });
}

/** Node itself tries for ever to make a folder in one that takes none, such as `/proc`. */
function canMake(folder: string, isRetry = false): boolean {
  try {
    mkdirSync(folder, 0o700);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || isRetry) return code === 'EEXIST';
    return canMake(dirname(folder)) && canMake(folder, true);
  }
}

process.exitCode = await main();
