import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds something: a process id alone is not enough, since ids are used again. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes with every start of the machine; empty where the system does not tell. */
  readonly bootId: string;
  readonly pid: number;
  /** When the process started, in the system's own ticks; empty where the system does not tell. */
  readonly startTime: string;
}

export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    bootId: bootId(),
    pid: process.pid,
    startTime: startTime(process.pid),
  };
}

/**
 * The identity in a claim; that of nobody who is alive where the text is empty or damaged, as after a power loss. Undefined
 * text, which could not be read, is somebody's.
 */
export function parseIdentity(text: string | undefined): ProcessIdentity {
  if (text === undefined) return { host: 'a host unknown', bootId: '', pid: 0, startTime: '' };
  try {
    const { host, bootId, pid, startTime } = JSON.parse(text);
    if (typeof host === 'string') {
      return { host, bootId: String(bootId), pid: Number(pid), startTime: String(startTime) };
    }
  } catch {
    // damaged like one without a host
  }
  return { ...ownIdentity(), bootId: 'damaged' };
}

/**
 * `dead` only where it is proven: same machine, and it was started again, or no process has the id, or the process that
 * has it started at another time. `unknown`: another host.
 */
export function stateOf(owner: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (owner.host !== hostname()) return 'unknown';
  if (owner.bootId !== bootId() || !isRunning(owner.pid)) return 'dead';
  const now = startTime(owner.pid);
  return owner.startTime !== '' && now !== '' && now !== owner.startTime ? 'dead' : 'alive';
}

/** Whether a process of this machine has the id. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false; // 0 and below name groups of processes
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function bootId(): string {
  return readSystemFile('/proc/sys/kernel/random/boot_id').trim();
}

/** Field 22 of `/proc/<pid>/stat`; the command name in field 2 may hold spaces and parentheses. */
function startTime(pid: number): string {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readSystemFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not Linux, or the process is gone
  }
}
