import { readFileSync } from 'node:fs';
import { loadShellReader } from '../../src/permissions/shell-line.ts';

/** Reads one line of a shell, and prints how many megabytes the process needed at most. */
const read = await loadShellReader();
const { kind } = read('for name in a b c; do echo one | cat; done');
// what `resourceUsage` says holds what the process that started this one needed
const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
console.log(JSON.stringify({ kind, megabytes: Number(kilobytes) / 1024 }));
