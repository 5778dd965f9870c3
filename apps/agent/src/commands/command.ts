import type { Options } from '../options.ts';
import type { Session } from '../session.ts';
import type { Face } from '../ui/face.ts';

/** What a command of a person can do. */
export interface CommandRun {
  /** What stands behind its name. */
  readonly words: string;
  readonly session: Session;
  readonly options: Options;
  readonly cwd: string;
  readonly face: Face;
  readonly signal: AbortSignal;
  /** Goes on in another session: one that is there, a copy of one, or a new one. */
  open(which: { readonly resume?: string; readonly fork?: boolean }): Promise<void>;
  /** Has the person say something next. */
  say(text: string): void;
  leave(): void;
}

export interface Command {
  readonly name: string;
  /** What may stand behind its name. */
  readonly hint?: string;
  readonly about: string;
  /** Whether it asks a model, which needs a key. @default false */
  readonly asksModel?: boolean;
  run(run: CommandRun): Promise<void>;
}
