/** Past sessions of the same project. `sessionFolder(path)` of `@varve/dream/node` is one. Dreams and extractions are none of them. */
export interface DreamSessions {
  /** Where they are kept. */
  readonly path: string;
  /** Whether the place where they are kept is there. @default it is */
  isThere?(): Promise<boolean>;
  /** Those that were touched after a time in ms since 1970, in any order. */
  list(options: {
    readonly sinceMs: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly ListedSession[]>;
  /** What was said in one, in order, results of tools where there are any: no reminders, summaries or recalled memory. */
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
  /** `tool`: what a tool or another agent answered. It is never a source, and shows where a memory is from that no user asked for. */
  readonly by: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** When, in ms since 1970. Where it is not known, it proves nothing to be out of date. */
  readonly atMs?: number | undefined;
}
