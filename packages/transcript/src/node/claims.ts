import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from './file-error.ts';
import {
  isRunning,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
  stateOf,
} from './process-identity.ts';

export type ClaimFolder = ReturnType<typeof openClaims>;

/** The process that made a claim. */
export interface Claimant extends ProcessIdentity {
  /** How much older than our own its claim is, in ms by the clock of the file system; negative for a younger one. */
  readonly ageMs: number;
}

/**
 * A claim of another host, which cannot be asked, or one that cannot be read, counts as dead when it is so much older or
 * younger than ours, in ms. The living renew theirs.
 */
const EXPIRY_MS = 3_600_000;

/** A draft is renamed at once, so one of this age in ms was left behind by a kill. */
const DRAFT_EXPIRY_MS = 60_000;

const CLAIM = /\.json$/;

/** The id of the writer is in the name: a kill can come before a draft holds anything. */
const DRAFT = /\.json\.(\d+)\.draft$/;

/** The folder is only missing while its last holder leaves: not so many times in a row. */
const MAX_TRIES = 100;

/** The claims on a file: files in a folder beside it, which is there only as long as one of them is. */
export function openClaims(folder: string) {
  const path = (claim: string) => join(folder, claim);

  async function tryPut(claim: string): Promise<boolean> {
    await mkdir(folder).catch(ignoring('EEXIST'));
    const draft = `${claim}.${process.pid}.draft`;
    try {
      await writeFile(path(draft), JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o600 });
      await rename(path(draft), path(claim));
      return true;
    } catch (error) {
      await remove(draft);
      ignoring('ENOENT')(error);
      return false;
    }
  }

  async function remove(name: string): Promise<void> {
    await rm(path(name), { force: true }).catch(ignoring('ENOTDIR'));
    await rmdir(folder).catch(ignoring('ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'));
  }

  async function claimant(claim: string, now: number): Promise<Claimant | undefined> {
    const stats = await stat(path(claim)).catch(ignoring('ENOENT'));
    if (stats === undefined) return undefined;
    const text = await readFile(path(claim), 'utf8').catch(ignoring('ENOENT', 'EACCES', 'EISDIR'));
    return { ...parseIdentity(text), ageMs: now - stats.mtimeMs };
  }

  /** Whether a kill left a draft behind. One taken away from a living writer, of another host say, is written again. */
  async function isLeftDraft(name: string, now: number): Promise<boolean> {
    const pid = DRAFT.exec(name)?.[1];
    if (pid === undefined) return false;
    if (!isRunning(Number(pid))) return true;
    const stats = await stat(path(name)).catch(ignoring('ENOENT'));
    return stats !== undefined && now - stats.mtimeMs >= DRAFT_EXPIRY_MS;
  }

  return {
    /** Makes a claim and says its name. */
    async put(): Promise<string> {
      const claim = `${randomUUID()}.json`;
      for (let tries = 1; !(await tryPut(claim)); tries++) {
        if (tries === MAX_TRIES) throw Object.assign(new Error('no folder'), { code: 'ENOENT' });
      }
      return claim;
    },
    /** Whoever else has a claim and is not proven dead; the claims of the dead are removed. */
    async findOther(own: string): Promise<Claimant | undefined> {
      const { mtimeMs: now } = await stat(path(own));
      for (const name of (await readdir(folder)).sort()) {
        if (name === own) continue;
        if (CLAIM.test(name)) {
          const found = await claimant(name, now);
          if (found === undefined) continue;
          if (isAlive(found)) return found;
          await rm(path(name), { force: true });
        } else if (await isLeftDraft(name, now)) {
          await rm(path(name), { force: true });
        }
      }
      return undefined;
    },
    /** Shows other hosts that the owner is alive. */
    async renew(own: string): Promise<void> {
      const text = JSON.stringify(ownIdentity());
      await writeFile(path(own), text, { flag: 'r+' }).catch(ignoring('ENOENT'));
    },
    remove,
  };
}

function isAlive(claimant: Claimant): boolean {
  const state = stateOf(claimant);
  return state === 'unknown' ? Math.abs(claimant.ageMs) < EXPIRY_MS : state === 'alive';
}
