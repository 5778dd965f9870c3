/** A session as its store holds it, in rows or in files. */
export interface StoredSession {
  readonly id: string;
  /** The session that started this one. */
  readonly parent: string | undefined;
  readonly format: 'opencode' | 'goose';
  readonly info: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly info: unknown; readonly parts: readonly unknown[] }[];
  /** Rows or files that could not be read. */
  readonly bad: number;
}

/** A session and the one that started it. */
export interface SessionLink {
  readonly id: string;
  readonly parent: string | undefined;
}

/**
 * The sessions that no other one of these started, in their order. Of sessions that name each other as parent in a circle the first one counts as
 * the one that began.
 */
export function rootsOf(sessions: readonly SessionLink[]): readonly string[] {
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent]));
  const places = new Map(sessions.map(({ id }, place) => [id, place]));
  const placeOf = (id: string): number => places.get(id) ?? 0;
  const roots = new Set<string>();
  const seen = new Set<string>();
  for (const { id } of sessions) {
    const way = new Set<string>();
    let top = id;
    for (let next: string | undefined = id; next !== undefined && !seen.has(next); ) {
      seen.add(next);
      way.add(next);
      top = next;
      next = parents.get(next);
      if (next === undefined || !parents.has(next)) roots.add(top);
      else if (way.has(next)) {
        const circle = [...way].slice([...way].indexOf(next));
        roots.add(circle.toSorted((a, b) => placeOf(a) - placeOf(b))[0] ?? top);
      }
    }
  }
  return sessions.map(({ id }) => id).filter((id) => roots.has(id));
}

/** The sessions that one started, and those that these started, each once: the nearest first, in their order. */
export function sessionsBelow(root: string, sessions: readonly SessionLink[]): readonly string[] {
  const children = new Map<string, string[]>();
  for (const { id, parent } of sessions) {
    if (parent === undefined) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  const seen = new Set([root]);
  for (const id of seen) for (const child of children.get(id) ?? []) seen.add(child);
  seen.delete(root);
  return [...seen];
}
