import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EvalsError } from '../error.ts';

/** A package of a peer, and what is called of it. */
export interface PeerPackage {
  readonly name: string;
  /** What to install, as on a command line. */
  readonly install: string;
  readonly functions: readonly string[];
}

/**
 * Loads a package that this one does not depend on. Its types are not part of this program: `Module` names the few
 * functions that are called, and whether they are there is looked at. Throws `missing-peer`.
 */
export async function importPeer<Module>(wanted: PeerPackage): Promise<Module> {
  const { name, install, functions } = wanted;
  const found = await load(name, install);
  const missing = functions.filter((each) => typeof found[each] !== 'function');
  if (missing.length === 0) return found as Module;
  const text = `The installed package ${name} has no ${missing.join(', ')}. Run \`npm install ${install}\` for a version that has, or leave this peer out.`;
  throw new EvalsError('missing-peer', text);
}

async function load(name: string, install: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(name).catch((cause: unknown) => fromWorkingFolder(name, cause));
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ');
    const text = `This peer runs from the package ${name}, which cannot be loaded (${reason}). Run \`npm install ${install}\`, or leave this peer out.`;
    throw new EvalsError('missing-peer', text, { cause });
  }
}

/** Where this package was fetched by npx, others can only be installed in the working folder. */
function fromWorkingFolder(name: string, cause: unknown): Readonly<Record<string, unknown>> {
  const folder = process.cwd();
  if (!existsSync(join(folder, 'node_modules', name))) throw cause;
  return createRequire(join(folder, 'package.json'))(name);
}
