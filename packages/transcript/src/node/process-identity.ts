import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds something: a process id alone is not enough, because ids are used again. Empty fields are unknown. */
export interface ProcessIdentity {
  readonly host: string;
  /** Stays the same over restarts of the machine. */
  readonly machineId: string;
  /** Changes with every start of the machine. */
  readonly bootId: string;
  /** Process ids mean something only within one namespace: containers of one host may have the same host name. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** When the process started, in the system's own ticks. */
  readonly startTime: string;
}

export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    machineId: readSystemFile('/etc/machine-id').trim(),
    bootId: readSystemFile('/proc/sys/kernel/random/boot_id').trim(),
    pidNamespace: linkTarget('/proc/self/ns/pid'),
    pid: process.pid,
    startTime: startOf('self'),
  };
}

/**
 * `dead` and `alive` only where it is proven. `dead`: same host, boot and PID namespace, and no process has the id, or one that
 * started at another time; or an earlier boot of this machine. `unknown`: another host, machine or namespace, or a system
 * that does not tell when a process started. On Linux a namespace or boot that could not be read is `unknown` too: two
 * processes that see no `/proc` may live in two of them. Elsewhere there are none.
 */
export function stateOf(owner: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  const own = ownIdentity();
  if (owner.host !== own.host || owner.pidNamespace !== own.pidNamespace) return 'unknown';
  const mayDiffer = process.platform === 'linux' && (own.pidNamespace === '' || own.bootId === '');
  if (mayDiffer || (owner.bootId === '' && own.bootId !== '')) return 'unknown';
  if (owner.bootId !== own.bootId) return isEarlierBoot(owner, own) ? 'dead' : 'unknown';
  if (!Number.isInteger(owner.pid) || owner.pid < 1) return 'unknown'; // 0 and below name groups of processes
  if (!isRunning(owner.pid)) return 'dead';
  const now = owner.pid === own.pid ? own.startTime : startTimeOf(owner.pid);
  if (owner.startTime === '' || now === '') return 'unknown';
  return now === owner.startTime ? 'alive' : 'dead';
}

const isEarlierBoot = (owner: ProcessIdentity, own: ProcessIdentity): boolean =>
  [owner.bootId, own.bootId, own.machineId, own.pidNamespace].every((each) => each !== '') &&
  owner.machineId === own.machineId;

/** Whether a process of this namespace has the id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Empty as well where `/proc` shows another PID namespace, in which the id belongs to another process. */
const startTimeOf = (pid: number): string =>
  linkTarget('/proc/self') === String(process.pid) ? startOf(String(pid)) : '';

/** Field 22 of `/proc/<pid>/stat`; the command name in field 2 may hold spaces and parentheses, field 3 is the state. */
function startOf(process: string): string {
  const stat = readSystemFile(`/proc/${process}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
}

function readSystemFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not Linux, or the process is gone
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // not Linux, or not allowed
  }
}
