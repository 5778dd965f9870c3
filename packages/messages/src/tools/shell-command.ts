import { type CommandUse, commandUse, onlyLooks } from './looks.ts';
import { changedFolder, commandKey } from './shell.ts';
import { type ShellFiles, shellFiles } from './shell-files.ts';

/** What can be told of a shell command without running it. Each field is worked out when it is asked for. */
export interface ShellCommand {
  /** What it is known by: one line, without the change of folder in front of it, its first characters only. */
  readonly key: string;
  /** The folder that it changes to before it does anything. */
  readonly folder: string | undefined;
  /** What it is about, by its first program; a change of folder in front of it aside. */
  readonly use: CommandUse;
  /**
   * Whether it only looks: each of its programs does, nothing is written to a file, and nothing is substituted that could run.
   * What is not known to be harmless counts as not.
   */
  readonly onlyLooks: boolean;
  /** What its well-known programs do to files, and which ones they print. */
  readonly files: ShellFiles;
}

/** Reads a shell command, as `readCall` and `commandIn` give it. Reads 4,000 characters at most. */
export function shellCommand(text: string): ShellCommand {
  return {
    get key() {
      return commandKey(text);
    },
    get folder() {
      return changedFolder(text);
    },
    get use() {
      return commandUse(text);
    },
    get onlyLooks() {
      return onlyLooks(text);
    },
    get files() {
      return shellFiles(text);
    },
  };
}
