import { printable } from './printable.ts';

/** Where a command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * The words and flags of a command line; behind `--` all are words. `fail` says why a command cannot run, with `--json` on
 * standard output, too, and gives its exit code.
 */
export function readCommandLine(name: string, args: readonly string[], { out, err }: Output) {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const flags = options.filter((arg) => arg.startsWith('-'));
  const words = options.filter((arg) => !arg.startsWith('-'));
  const isJson = flags.includes('--json');
  return {
    flags,
    words: end === -1 ? words : [...words, ...args.slice(end + 1)],
    isJson,
    fail(message: string): number {
      err(`${name}: ${printable(message)}\n`);
      if (isJson) out(`${JSON.stringify({ ok: false, error: message })}\n`);
      return 2;
    },
  };
}
