import { untilAborted } from '@varve/guards';
import { statementsOf } from '@varve/memdir/evidence';
import { withoutSecrets } from '@varve/memdir/files';
import type { Snapshot } from './snapshot.ts';
import type { GitLookup } from './sources.ts';

/** A path that a memory names and that the repository had once and has no more. It is told, and is never a reason to remove a file. */
export interface StalePath {
  readonly path: string;
  /** What it names. */
  readonly claim: string;
  /** The statement that names it. */
  readonly statement: string;
}

/** More are not looked up in a dream. */
const MOST_LOOKUPS = 200;

/** With a slash and an ending, or in code with a slash. Homes, other systems, addresses, variables and patterns are none. */
const PATH =
  /`((?:[\w@.-]+\/)+[\w@.-]*)`|(?<![\p{L}\p{N}:/@.~$%{-])((?:[\w@.-]+\/)+[\w@-][\w@.-]*\.[A-Za-z]\w{0,5})\b/gu;
/** What is said to be gone is not out of date. */
const SAID_GONE =
  /\b(?:removed?|deleted?|gone|renamed?|moved|dropped|no longer|was|were|used to|former(?:ly)?|old|gelöscht|entfernt|umbenannt)\b/i;

export async function stalePaths(
  { files }: Snapshot,
  git: GitLookup | undefined,
  signal: AbortSignal,
): Promise<readonly StalePath[]> {
  if (git === undefined) return [];
  const found: StalePath[] = [];
  const known = new Map<string, Promise<'there' | 'gone' | 'not-checkable'>>();
  for (const { path, body } of files.values()) {
    for (const { text } of statementsOf(body)) {
      if (SAID_GONE.test(text)) continue;
      for (const [, coded, plain] of text.matchAll(PATH)) {
        const claim = coded ?? plain ?? '';
        const looked =
          known.get(claim) ??
          (known.size < MOST_LOOKUPS
            ? untilAborted(() => git(claim, { signal }), signal)
            : undefined);
        if (looked === undefined) continue;
        known.set(claim, looked);
        if ((await looked) === 'gone') found.push({ path, claim, statement: withoutSecrets(text) });
      }
    }
  }
  return found;
}
