import { loadShellReader } from '../../src/permissions/shell-line.ts';

/** Reads one line of a shell, and prints how many megabytes the process needed at most. */
const read = await loadShellReader();
const { kind } = read('for name in a b c; do echo one | cat; done');
console.log(JSON.stringify({ kind, megabytes: process.resourceUsage().maxRSS / 1024 }));
