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

/**
 * Reads a shell command, as `readCall` and `commandIn` give it. Reads 4,000 characters at most. Several look at one call after
 * the other, so each field is worked out once for the command that was read last.
 */
export function shellCommand(text: string): ShellCommand {
  if (last?.text !== text) last = { text, reading: read(text) };
  return last.reading;
}

// Memory of a pure function: dropping it changes nothing but time.
let last: { readonly text: string; readonly reading: ShellCommand } | undefined;

const read = (text: string): ShellCommand =>
  Object.assign(Object.create(READING) as ShellCommand, { text, known: {} });

interface Reading {
  readonly text: string;
  readonly known: { -readonly [Field in keyof ShellCommand]?: ShellCommand[Field] };
}

// Getters are dear to make: all readings have the same ones.
const READING: ShellCommand & ThisType<Reading> = {
  get key() {
    this.known.key ??= commandKey(this.text);
    return this.known.key;
  },
  get folder() {
    return changedFolder(this.text);
  },
  get use() {
    this.known.use ??= commandUse(this.text);
    return this.known.use;
  },
  get onlyLooks() {
    this.known.onlyLooks ??= onlyLooks(this.text);
    return this.known.onlyLooks;
  },
  get files() {
    this.known.files ??= shellFiles(this.text);
    return this.known.files;
  },
};
