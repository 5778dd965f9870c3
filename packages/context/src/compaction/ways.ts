import type { CompactionFailed, CompactionWork, Compactor } from '@varve/compact';
import { type Edit, isText, type Message, type PlanContext, type View } from '@varve/messages';
import type { NotesPlan } from '@varve/session-memory';
import { acceptSize } from '@varve/tokens';
import type { Attached, Attaching, Occasion } from './attachments.ts';
import type { Ready } from './ready.ts';

export interface WaysOptions {
  readonly compactor: Compactor;
  readonly attaching: Attaching;
  readonly view: () => View;
  readonly planContext: () => PlanContext;
  readonly lastEntryId: () => string | undefined;
  /** The share of the next request that a compaction has to save, attachments counted. */
  readonly minSavings: number;
  /** The same of one whose summary is notes. */
  readonly notesSavings: number;
}

type Start = Omit<Occasion, 'roomTokens'>;

/** The ways in which a summary comes about. They change nothing. */
export function createWays(options: WaysOptions) {
  const { compactor, attaching, view, planContext, lastEntryId } = options;
  const { minSavings, notesSavings } = options;
  return {
    /** A model's summary, or what the ladder of `@varve/compact` has in its place. */
    async byModel(work: CompactionWork, occasion: Start): Promise<Ready | CompactionFailed> {
      let asked: Attached | undefined;
      const attach: RunAttach = async (kept, { roomTokens }) => {
        asked = await attaching.restored(kept, { ...occasion, roomTokens });
        return asked.messages;
      };
      const result = await compactor.run(work, { signal: occasion.signal, attach });
      if (result.kind === 'failed') return result;
      const { edit, receipt } = result.compaction;
      const offered = asked?.messages ?? [];
      const isWhole = offered.every((message, index) => edit.then[index] === message);
      if (!isWhole) attaching.tellNoRoom();
      const restored = (isWhole && asked?.restored) || [];
      const { effectiveTokens: belowTokens } = work.situation;
      const { tokensBefore: ofTokens, tokensAfter } = receipt;
      const { roomTokens: room } = acceptSize(tokensAfter, { ofTokens, belowTokens, minSavings });
      return {
        kind: 'compacted',
        edits: [edit],
        receipt,
        summary: result.summary,
        restored,
        basis: work,
        room,
      };
    },

    /** Notes, as they were planned; what is attached leaves the next request below the threshold, and smaller by enough. */
    async fromNotes(plan: NotesEdit, occasion: Start): Promise<Ready | CompactionFailed> {
      const { sizeOf, limits, thinking } = planContext();
      const { messages } = view();
      const basis = { messages, thinking, basis: lastEntryId() };
      const { receipt } = plan;
      const kept = messages.slice(receipt.droppedMessages);
      const { autocompactTokens: belowTokens } = limits;
      const bounds = { ofTokens: receipt.tokensBefore, belowTokens, minSavings: notesSavings };
      const bare = acceptSize(receipt.tokensAfter, bounds);
      if (bare.kind === 'refused') return { kind: 'failed', reason: bare.reason };
      const { roomTokens } = bare;
      const { messages: then, restored } = await attaching.restored(kept, {
        ...{ ...occasion, roomTokens },
      });
      const tokensAfter = receipt.tokensAfter + sum(then, sizeOf);
      const size = acceptSize(tokensAfter, bounds);
      if (size.kind === 'refused') return { kind: 'failed', reason: size.reason };
      const { roomTokens: room } = size;
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

type RunAttach = NonNullable<NonNullable<Parameters<Compactor['run']>[1]>['attach']>;

export type NotesEdit = Extract<NotesPlan, { readonly kind: 'edit' }>;
export type Span = Extract<Edit, { readonly kind: 'replace-span' }>;

/** The last edit is the one that compacts. */
export const spanOf = ({ edits }: { readonly edits: readonly Edit[] }): Span =>
  edits.at(-1) as Span;

export const sum = (messages: readonly Message[], sizeOf: (message: Message) => number): number =>
  messages.reduce((total, message) => total + sizeOf(message), 0);

const textOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ content }) => content.filter(isText).map(({ text }) => text)).join('\n');
