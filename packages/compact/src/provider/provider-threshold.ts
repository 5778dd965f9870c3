import { checkOptions, integer } from '@varve/guards';
import {
  type Entry,
  type Json,
  type JsonObject,
  type Plan,
  type Planner,
  stableStringify,
  type View,
  type ViewMessage,
} from '@varve/messages';
import { editReceipt } from '@varve/messages/log';
import { spanEdit } from '../plan/span-edit.ts';
import { billOf } from './bill.ts';
import { isNullBlock } from './read-block.ts';

export interface ThresholdOptions {
  /** Prompt tokens from which the provider compacts; at least 50,000. @default 150_000 */
  readonly triggerTokens?: number | undefined;
  /** In place of the provider's own prompt. */
  readonly instructions?: string | undefined;
  /** The reply is the block alone, so that the caller can act before work goes on. @default false */
  readonly pause?: boolean | undefined;
  /** Where the originals are, in the caller's words; for the receipt. */
  readonly originals?: string | undefined;
}

/**
 * A planner that leaves compaction to Anthropic: it asks for it by a `server` edit, once, beside whatever else the provider
 * was asked for; and takes what a block that came stands for out of the view. A block without content is a failed
 * compaction and changes nothing.
 *
 * @throws RangeError for a trigger the API refuses.
 */
export function createThresholdCompaction(options: ThresholdOptions = {}): Planner {
  const wanted = editOf(options);
  let view: View = { messages: [], changedFrom: 0 };
  return {
    observe(_: Entry, next: View) {
      view = next;
    },
    plan({ sizeOf }): Plan {
      const params = paramsOf(wanted, view.server);
      if (!carries(view.server, params)) {
        return { kind: 'edit', edits: [{ kind: 'server', params }], reason: 'server-side' };
      }
      const place = view.messages.findLastIndex(holdsBlock);
      if (place <= 0) return { kind: 'none', reason: 'nothing-compacted' };
      const sizes = view.messages.map(sizeOf);
      const tokensBefore = sizes.reduce((sum, size) => sum + size, 0);
      const tokensAfter = sizes.slice(place).reduce((sum, size) => sum + size, 0);
      // the server reads nothing before the block
      const edits = [spanEdit(view.messages, { end: place }, {})];
      const { originals } = options;
      const told = { tokensBefore, tokensAfter, originals };
      const receipt = receiptOf(view.messages, place, told);
      return { kind: 'edit', edits, reason: 'provider-compacted', receipt };
    },
  };
}

/** Tokens; the API refuses less (platform.claude.com, "Compaction at a token threshold"). */
const MIN_TRIGGER = 50_000;

function editOf(options: ThresholdOptions): JsonObject {
  const { triggerTokens = 150_000, instructions, pause = false } = options;
  checkOptions({ triggerTokens }, { triggerTokens: integer(MIN_TRIGGER) });
  return {
    type: COMPACT,
    trigger: { type: 'input_tokens', value: triggerTokens },
    ...(instructions !== undefined && { instructions }),
    ...(pause && { pause_after_compaction: true }),
  };
}

const COMPACT = 'compact_20260112';

/** Edits that others asked for (clearing, which wants to be the first) stay in front. */
function paramsOf(wanted: JsonObject, server: View['server']): JsonObject {
  const live = server?.context_management as JsonObject | undefined;
  const edits = Array.isArray(live?.edits) ? (live.edits as readonly JsonObject[]) : [];
  const others = edits.filter((edit) => edit.type !== COMPACT);
  return { context_management: { ...live, edits: [...others, wanted] } };
}

const carries = (server: View['server'], { context_management: value }: JsonObject): boolean =>
  stableStringify({ value: server?.context_management }) === stableStringify({ value });

const holdsBlock = ({ role, content: [first] }: ViewMessage): boolean =>
  role === 'assistant' && first?.type === 'compaction' && !isNullBlock(first);

function receiptOf(
  messages: readonly ViewMessage[],
  place: number,
  told: Pick<Parameters<typeof editReceipt>[0], 'tokensBefore' | 'tokensAfter' | 'originals'>,
): JsonObject {
  const { usage } = messages[place]?.response ?? {};
  const iterations = Array.isArray(usage?.iterations) ? usage.iterations : undefined;
  const bill = billOf({ ...(usage && { usage }), ...(iterations && { iterations }) });
  return {
    ...{ trigger: 'auto', engine: 'provider' },
    ...editReceipt({
      ...{ ...told, reason: 'provider-compacted' },
      ...{ dropped: place, kept: messages.length - place },
    }),
    lastMessageId: messages[place - 1]?.id ?? '',
    calls: 0,
    ...(bill && { usage: bill as unknown as Json }),
  };
}
