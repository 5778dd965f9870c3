/** A session of OpenCode as its store holds it: in rows or in files. */
export interface StoredSession {
  readonly id: string;
  /** The session that started this one. */
  readonly parent: string | undefined;
  readonly info: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly info: unknown; readonly parts: readonly unknown[] }[];
  /** Rows or files that could not be read. */
  readonly bad: number;
}
