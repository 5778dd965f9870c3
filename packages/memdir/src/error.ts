import { VarveError } from '@varve/guards';

/**
 * `bad-folder`: the folder may not hold memory (a root, a share, a link that leads elsewhere); `bad-path`: a path that leaves the
 * folder, that some system cannot hold, or where a link or a folder stands; `changed-meanwhile`: a file is not what was read any
 * more, and stays as it is; `locked`: another process changes the folder, and did not end in time; `not-read` and `not-written`: the system refused, see `cause`.
 */
export type MemdirErrorCode =
  | 'bad-folder'
  | 'bad-path'
  | 'changed-meanwhile'
  | 'locked'
  | 'not-read'
  | 'not-written';

/** Thrown by folders. The message says what to do; it holds no text of a memory and no absolute path. */
export class MemdirError extends VarveError<MemdirErrorCode> {
  override get name() {
    return 'MemdirError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is MemdirError {
    return VarveError.is(value, 'MemdirError');
  }
}
