import type { ModelInfo } from '@varve/tokens';
import type { ImportedSession } from '@varve/transcript/import';
import { mainThreads } from './import-threads.ts';
import { type Losses, lossesOf } from './losses.ts';
import { type RecordedReply, recordedReplies } from './recorded-replies.ts';

/** What has to be known of a session before it is decided how it counts. */
export interface SessionFacts {
  readonly format: ImportedSession['format'];
  readonly id: string | null;
  /** Whether its file lies where the agent itself keeps sessions. */
  readonly isInPlace?: boolean;
  readonly parent: { readonly id: string; readonly kind: 'fork' | 'sub-agent' } | null;
  readonly losses: Losses;
  /** In the order of the file; each main thread by the name of its rows. */
  readonly mains: readonly {
    readonly session: string;
    readonly replies: readonly RecordedReply[];
    /** A fork of a session that is not there: what it was asked before is unknown. */
    readonly lacksStart: boolean;
  }[];
  readonly agents: readonly { readonly replies: readonly RecordedReply[] }[];
}

/** `models`: entries of one's own, which win over the table. */
export function sessionFacts(
  imported: ImportedSession,
  name: string,
  models: readonly ModelInfo[] = [],
): SessionFacts {
  const { format, id = null, parent = null, threads } = imported;
  return {
    format,
    id,
    parent,
    losses: lossesOf(imported),
    mains: mainThreads(imported, name).map(({ session, thread }) => ({
      session,
      replies: recordedReplies(thread, name, models),
      lacksStart: parent?.kind === 'fork' && thread.startsMidSession,
    })),
    agents: threads
      .filter(({ kind }) => kind === 'sub-agent')
      .map((thread) => ({ replies: recordedReplies(thread, name, models) })),
  };
}
