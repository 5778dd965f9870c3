import { recordOf } from '@varve/guards';
import { type JsonRecord, textOf } from './json.ts';
import type { SessionParent } from './types.ts';

/** A fork writes its copy of the parent's records in one go; its own first reply takes longer than this, in ms. */
const PAUSE_MS = 1000;

/**
 * Tells the records that a fork copied from its parent from its own. The copies stand first, with the times they had or with that of the fork: they
 * end at the first pause after the fork began.
 */
export function createCodexCopies() {
  let begunMs = Number.NaN;
  let lastMs = Number.NaN;
  let isCopying = false;

  return {
    /** The file is a fork that was begun at `at`, and begins with its parent's records. */
    begin(at: string | undefined): void {
      begunMs = at === undefined ? Number.NaN : Date.parse(at);
      lastMs = begunMs;
      isCopying = !Number.isNaN(begunMs);
    },
    /** Takes note of a record's time. */
    see(at: string | undefined): void {
      if (!isCopying || at === undefined) return;
      const ms = Date.parse(at);
      if (ms > begunMs && ms - Math.max(lastMs, begunMs) >= PAUSE_MS) isCopying = false;
      lastMs = ms;
    },
    /** Whether the newest record is a copy. */
    isCopy: (): boolean => isCopying,
  };
}

/** What the first record of a file says of the thread that this one came from. */
export function parentOf(meta: JsonRecord): SessionParent | undefined {
  const spawn = recordOf(recordOf(recordOf(meta.source).subagent).thread_spawn);
  const starter = textOf(spawn.parent_thread_id) ?? textOf(meta.parent_thread_id);
  if (starter !== undefined) return { id: starter, kind: 'sub-agent' };
  const origin = textOf(meta.forked_from_id) ?? textOf(recordOf(meta.history_base).thread_id);
  return origin === undefined ? undefined : { id: origin, kind: 'fork' };
}
