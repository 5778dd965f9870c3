import { checkOptions, required } from '@varve/guards';
import type { Edit, Message, Plan, PlanContext, Planner, View, ViewMessage } from '@varve/messages';
import { logOf, partsSpan } from '@varve/messages/log';
import { thinkingBlocks } from '@varve/messages/thinking';
import { createModelEstimators } from '@varve/tokens/models';
import { checkGroup, LIMITS, SAVINGS, TAIL } from './check-options.ts';
import { notesFingerprint } from './checkpoint.ts';
import {
  type CompactFromNotesOptions,
  compactFromNotes,
  type NoCompactionReason,
  type NotesCompactionResult,
} from './compact-from-notes.ts';
import { type NotesReceipt, notesReceipt } from './notes-receipt.ts';
import type { NotesSnapshot } from './notes-snapshot.ts';
import type { SessionMemory } from './session-memory.ts';

/** Whose notes stand in, how much of them, and what stays beside them. */
export interface NotesCompactionOptions
  extends Pick<
    CompactFromNotesOptions<Message>,
    'sectionTokens' | 'totalTokens' | 'tail' | 'where' | 'originals' | 'minSavings' | 'redact'
  > {
  /** Whose notes; it observes through this planner. */
  readonly memory: Pick<SessionMemory, 'observe' | 'snapshot'>;
  /** Whether notes may stand in for a summary; only where the memory is enabled as well. @default true */
  readonly enabled?: boolean | undefined;
  /** The model whose vocabulary texts are counted in. @default that of the log's head; else as `o200k` */
  readonly model?: string | undefined;
  /** Tokens of a text. @default the estimate of `@varve/tokens` for the model */
  readonly textSize?: ((text: string) => number) | undefined;
  /** What is to stand behind what is kept, restored files for example; ids have to be new. @default nothing */
  readonly attachments?: ((kept: readonly ViewMessage[]) => readonly Message[]) | undefined;
  /** Told what was thrown where the reason is `error`. What it throws is ignored. */
  readonly onError?: ((cause: unknown) => void) | undefined;
}

/** `below-threshold`: no need yet; `open-round`: calls wait for results. Every other reason is that of the notes. */
export type NotesPlan =
  | {
      readonly kind: 'none';
      readonly reason: NoCompactionReason | 'below-threshold' | 'open-round';
    }
  | (Extract<Plan, { readonly kind: 'edit' }> & { readonly receipt: NotesReceipt });

/** A planner whose edit puts notes in place of what they cover. */
export interface NotesCompaction extends Planner {
  plan(context: PlanContext): NotesPlan;
  /** The same whatever the size of the context: somebody asked for it. */
  planManual(context: PlanContext): NotesPlan;
}

/**
 * Creates a planner for one thread. Its edits: where the model's rule demands it, thinking of what stays is dropped first,
 * which is legal by itself; then one `replace-span` with the notes in place of what they cover, and copies of requests in it
 * that nobody has answered yet. `plan` costs nothing below the threshold; above it the size of each message of the view, and a look at those that may stay.
 *
 * @throws RangeError and TypeError for limits that make no sense.
 */
export function createNotesCompaction(options: NotesCompactionOptions): NotesCompaction {
  const estimatorOf = createModelEstimators();
  const estimate = (text: string) => estimatorOf(options.model ?? view.head?.model).text(text);
  const { memory, textSize = estimate } = options;
  checkOptions(options, EXPECTED);
  checkGroup(options.tail, 'tail', TAIL);
  let view: View = { messages: [], changedFrom: 0 };
  let entries = 0;

  function planNow(context: PlanContext, trigger: 'auto' | 'manual'): NotesPlan {
    try {
      const summaryId = `notes-summary:${entries}`;
      return decide(view, { ...options, textSize, context, trigger, summaryId });
    } catch (cause) {
      tell(options.onError, cause);
      return { kind: 'none', reason: 'error' };
    }
  }

  return {
    observe(entry, next) {
      memory.observe(entry, next);
      view = next;
      entries++;
    },
    plan(context) {
      if (context.contextTokens < context.limits.autocompactTokens) {
        return { kind: 'none', reason: 'below-threshold' };
      }
      return planNow(context, 'auto');
    },
    planManual: (context) => planNow(context, 'manual'),
  };
}

const EXPECTED = {
  ...LIMITS,
  ...SAVINGS,
  memory: required('an object'),
  model: 'a text that is not blank',
  textSize: 'a function',
  attachments: 'a function',
  onError: 'a function',
} as const;

function tell(listen: ((cause: unknown) => void) | undefined, cause: unknown): void {
  try {
    listen?.(cause);
  } catch {
    // a listener that throws is its own affair
  }
}

interface Situation extends NotesCompactionOptions {
  readonly textSize: (text: string) => number;
  readonly context: PlanContext;
  readonly trigger: 'auto' | 'manual';
  /** An id that no message has yet. */
  readonly summaryId: string;
}

function decide(view: View, situation: Situation): NotesPlan {
  const { enabled = true, memory } = situation;
  const snapshot = memory.snapshot();
  if (!enabled || snapshot.status === 'disabled') return { kind: 'none', reason: 'disabled' };
  if (view.open !== undefined) return { kind: 'none', reason: 'open-round' };
  if (snapshot.status === 'unreadable') return { kind: 'none', reason: 'error' };
  const bare = fromNotes(view, snapshot, situation);
  if (bare.kind === 'none') return bare;
  const kept = [...requestsOf(view, bare), ...view.messages.slice(bare.keepFrom)];
  const offered = situation.attachments?.(kept) ?? [];
  const sizes = offered.map(situation.context.sizeOf);
  // as many as leave the next request smaller by enough
  for (let count = offered.length; count > 0; count--) {
    const attachmentTokens = sizes.slice(0, count).reduce((sum, tokens) => sum + tokens, 0);
    const leftOutTokens = sizes.slice(count).reduce((sum, tokens) => sum + tokens, 0);
    const result = fromNotes(view, snapshot, { ...situation, attachmentTokens });
    if (result.kind === 'none') continue;
    const then = offered.slice(0, count);
    return toPlan(view, result, { ...situation, snapshot, then, leftOutTokens });
  }
  const leftOutTokens = sizes.reduce((sum, tokens) => sum + tokens, 0);
  return toPlan(view, bare, { ...situation, snapshot, then: [], leftOutTokens });
}

function fromNotes(
  view: View,
  { notes, template, cursorId }: NotesSnapshot,
  situation: Situation & { readonly attachmentTokens?: number },
): NotesCompactionResult<ViewMessage> {
  const { messages } = view;
  const { context } = situation;
  const cursorIndex =
    cursorId === undefined
      ? undefined
      : messages.findLastIndex(({ sources }) => sources.includes(cursorId));
  return compactFromNotes(messages, {
    ...situation,
    notes,
    template,
    cursorIndex,
    mayCut: (index) => !partsSpan(view, index),
    thresholdTokens: context.limits.autocompactTokens,
    sizeOf: context.sizeOf,
    contextTokens: context.contextTokens,
    thinking: context.thinking,
  });
}

type Compacted = Extract<NotesCompactionResult<ViewMessage>, { readonly kind: 'compacted' }>;

interface PlanParts extends Situation {
  readonly snapshot: NotesSnapshot;
  readonly then: readonly Message[];
  /** Tokens of attachments that had no room. */
  readonly leftOutTokens: number;
}

const requestsOf = ({ messages }: View, { openRequests }: Compacted): readonly ViewMessage[] =>
  openRequests.map((index) => messages[index] as ViewMessage);

function toPlan(view: View, result: Compacted, parts: PlanParts): NotesPlan {
  const { messages } = view;
  const { trigger, snapshot, then, summaryId, originals } = parts;
  const reason = trigger === 'auto' ? 'over-threshold' : 'asked-for';
  const fingerprint = notesFingerprint(snapshot.notes as string);
  const drops = thinkingBlocks(messages, result.dropThinking, logOf(view).logged) ?? [];
  const stands = standIns(view, result, parts);
  const span: Edit = {
    kind: 'replace-span',
    fromId: messages[0]?.sources[0] as string,
    toId: messages[result.keepFrom - 1]?.sources.at(-1) as string,
    with: stands,
    then,
  };
  const dropped: readonly Edit[] =
    drops.length > 0 ? [{ kind: 'replace-content', blocks: drops }] : [];
  const anchor = stands.at(-1)?.id ?? summaryId;
  const { leftOutTokens } = parts;
  const facts = { trigger, reason, messages, anchor, fingerprint, originals, leftOutTokens };
  const receipt = notesReceipt(result, facts);
  return { kind: 'edit', edits: [...dropped, span], reason, receipt };
}

/** The notes, and behind them what nobody has answered yet. */
function standIns(view: View, result: Compacted, { summaryId, context }: PlanParts) {
  const copies = requestsOf(view, result).map((each, at) => copyOf(each, `${summaryId}:${at}`));
  return [summaryMessage(result.summaryText, summaryId, context.nowMs), ...copies];
}

const summaryMessage = (text: string, id: string, nowMs: number): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
  origin: { kind: 'summary', by: 'session-memory' },
  createdAt: new Date(nowMs).toISOString(),
});

/** What a person said, word for word, under an id the log does not have. */
const copyOf = ({ role, content, origin, createdAt }: ViewMessage, id: string): Message => ({
  ...{ id, role, content },
  ...(origin && { origin }),
  ...(createdAt !== undefined && { createdAt }),
});
