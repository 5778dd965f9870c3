/** Past sessions of the same project. `sessionFolder(path)` of `@varve/dream/node` is one. Dreams and extractions are none of them. */
export interface DreamSessions {
  /** Where they are kept. */
  readonly path: string;
  /** Those that were touched after a time in ms since 1970, in any order. */
  list(options: {
    readonly sinceMs: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly ListedSession[]>;
  /** What was said in one, in order: no tool results, reminders, summaries or recalled memory. */
  read(
    id: string,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Said[]>;
}

export interface ListedSession {
  readonly id: string;
  readonly touchedMs: number;
}

/** One message of a session. */
export interface Said {
  readonly by: 'user' | 'assistant';
  readonly text: string;
  /** When, in ms since 1970. Where it is not known, it proves nothing to be out of date. */
  readonly atMs?: number | undefined;
}
