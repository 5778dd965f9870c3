import type { CompactionFailed, Compactor, NowOptions } from '@varve/compact';
import { type Edit, isText, type Message, type PlanContext, type View } from '@varve/messages';
import type { NotesPlan } from '@varve/session-memory';
import type { Attached, Attaching, Occasion } from './attachments.ts';
import type { Ready } from './ready.ts';

export interface WaysOptions {
  readonly compactor: Compactor;
  readonly attaching: Attaching;
  readonly view: () => View;
  readonly planContext: () => PlanContext;
  /** How many entries the log has. */
  readonly entryCount: () => number;
}

/** The ways in which a summary comes about. They change nothing. */
export function createWays({ compactor, attaching, view, planContext, entryCount }: WaysOptions) {
  return {
    /** A model's summary, or what the ladder of `@varve/compact` has in its place. */
    async byModel(now: NowOptions, occasion: Occasion): Promise<Ready | CompactionFailed> {
      const context = planContext();
      const plan = compactor.planNow(context, now);
      if (plan.kind !== 'work') return { kind: 'failed', reason: plan.reason };
      const { messages, thinking } = plan.work;
      const basis = { messages, thinking, entries: entryCount() };
      let asked: Attached | undefined;
      const attach = async (kept: readonly Message[]) => {
        asked = await attaching.restored(kept, occasion);
        return asked.messages;
      };
      const result = await compactor.run(plan.work, { signal: occasion.signal, attach });
      if (result.kind === 'failed') return result;
      const { edit, receipt } = result.compaction;
      const isWhole = edit.then.length === (asked?.messages.length ?? 0);
      if (!isWhole) attaching.tellNoRoom();
      const restored = (isWhole && asked?.restored) || [];
      const room = context.limits.effectiveTokens - receipt.tokensAfter;
      return {
        kind: 'compacted',
        edits: [edit],
        receipt,
        summary: result.summary,
        restored,
        basis,
        room,
      };
    },

    /** Notes, as they were planned; what is attached to them has to leave the next request below the threshold. */
    async fromNotes(plan: NotesEdit, occasion: Occasion): Promise<Ready | CompactionFailed> {
      const { sizeOf, limits, thinking } = planContext();
      const { messages } = view();
      const basis = { messages, thinking, entries: entryCount() };
      const { receipt } = plan;
      const kept = messages.slice(receipt.droppedMessages);
      const { messages: then, restored } = await attaching.restored(kept, occasion);
      const tokensAfter = receipt.tokensAfter + sum(then, sizeOf);
      const room = limits.autocompactTokens - tokensAfter;
      if (room <= 0) return { kind: 'failed', reason: 'still-too-large' };
      const edits = [...plan.edits.slice(0, -1), { ...spanOf(plan), then }];
      const summary = textOf(spanOf(plan).with);
      return {
        kind: 'compacted',
        edits,
        receipt: { ...receipt, tokensAfter },
        ...{ summary, restored, basis, room },
      };
    },
  };
}

export type NotesEdit = Extract<NotesPlan, { readonly kind: 'edit' }>;
export type Span = Extract<Edit, { readonly kind: 'replace-span' }>;

/** The last edit is the one that compacts. */
export const spanOf = ({ edits }: { readonly edits: readonly Edit[] }): Span =>
  edits.at(-1) as Span;

export const sum = (messages: readonly Message[], sizeOf: (message: Message) => number): number =>
  messages.reduce((total, message) => total + sizeOf(message), 0);

const textOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ content }) => content.filter(isText).map(({ text }) => text)).join('\n');
