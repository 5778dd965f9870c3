import { type ChildProcess, spawn } from 'node:child_process';

/** Reads which process groups begin and end; once nobody writes any more, it ends those that are left. */
const SCRIPT = `trap '' HUP INT TERM
live=' '
while read -r sign pid; do
  case $sign in
    +) live="$live$pid " ;;
    *) live="\${live%%" $pid "*} \${live#*" $pid "}" ;;
  esac
done
for pid in $live; do kill -s KILL -- "-$pid"; done`;

/** One for this process, since it is about the end of this process. */
let guard: ChildProcess | undefined;

function tell(line: string): void {
  if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) {
    guard = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.on('error', () => undefined);
    guard.stdin?.on('error', () => undefined);
    guard.unref();
    (guard.stdin as unknown as { unref?(): void }).unref?.();
  }
  guard.stdin?.write(`${line}\n`);
}

/** Has a process group ended when this process is killed in a way that it cannot notice. The result takes that back. */
export function guardGroup(pid: number): () => void {
  tell(`+ ${pid}`);
  return () => tell(`- ${pid}`);
}
