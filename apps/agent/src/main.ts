#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Nothing else stands in this file: what is loaded behind the cache starts faster the next time. */
async function main(): Promise<number> {
  const { argv, env } = process;
  const configDir = env.VARVE_CONFIG_DIR ?? join(homedir(), '.config', 'varve');
  enableCompileCache(join(configDir, 'compile-cache'));
  const { runCommand } = await import('./command.ts');
  return runCommand({ argv: argv.slice(2), env, configDir });
}

process.exitCode = await main();
