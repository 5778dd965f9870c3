import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock. */
export interface LockOwner {
  /** Of this one holding: no two are the same. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the system's own units, so that a pid used again is told apart; empty where unknown. */
  readonly started: string;
}

export function newOwner(): LockOwner {
  const { pid } = process;
  return { token: randomUUID(), pid, host: hostname(), started: startOf(pid) };
}

/** Whether the owner may still be at work. One on another machine always may: nobody here can tell. */
export function mayBeAlive({ pid, host, started }: LockOwner): boolean {
  if (host !== hostname()) return true;
  if (!isRunning(pid)) return false;
  const now = startOf(pid);
  return started === '' || now === '' || started === now;
}

export function parseOwner(json: string): LockOwner | undefined {
  try {
    const value = JSON.parse(json);
    // the token stands in the name of a file
    const isNamed = typeof value?.token === 'string' && /^[\w-]{1,64}$/.test(value.token);
    return isNamed && Number.isInteger(value.pid) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux tells; elsewhere a pid that was used again keeps a dead owner's lock until it ends as well. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in brackets may hold anything; the state is field 3, the start field 22
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
