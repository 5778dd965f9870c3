#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';

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
  enableCompileCache(join(configDir, 'compile-cache'));
  const { runCommand } = await import('./command.ts');
  return runCommand({ argv: argv.slice(2), env, configDir });
}

process.exitCode = await main();
