import { basename, isAbsolute } from 'node:path';

/**
 * The words of a command line as reports show them: without the flags that change no figure, so that these change no byte,
 * and with the last part of absolute paths only, which name a machine and its user.
 */
export function shownCommand(args: readonly string[]): readonly string[] {
  return args
    .filter((word, at) => !UNSHOWN.test(word) && !TAKES_VALUE.test(args[at - 1] ?? ''))
    .map((word) =>
      word
        .split(/([,=])/)
        .map(shortened)
        .join(''),
    );
}

const shortened = (part: string): string => (isAbsolute(part) ? `…/${basename(part)}` : part);

const UNSHOWN = /^--(?:json|(?:jobs|out)(?:=.*)?)$/s;
const TAKES_VALUE = /^--(?:jobs|out)$/;
