import { checkOptions, number, required } from '@varve/guards';
import {
  apiRounds,
  type Edit,
  legalCuts,
  type Message,
  type ThinkingRule,
  type ViewMessage,
} from '@varve/messages';
import { checkMessages } from '@varve/messages/foreign';
import { isSummary } from '@varve/messages/persons';
import { unbindTail } from '../full/thinking.ts';
import { spanEdit } from '../plan/span-edit.ts';

export interface SnipOptions {
  /** The messages of the next request should have no more tokens than this. */
  readonly budgetTokens: number;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /** Positions a cut is allowed at. @default where no round is split */
  readonly cuts?: readonly number[] | undefined;
  readonly thinking: ThinkingRule;
  /** Tokens that have to be freed at least: dropping rounds rewrites the cache. @default a tenth of the messages */
  readonly leastFreedTokens?: number | undefined;
  /** Id of the marker. @default derived from the ids of what goes */
  readonly markerId?: string | undefined;
}

export type SnipPlan =
  | {
      readonly kind: 'snip';
      /** Messages from `start` up to here go. */
      readonly end: number;
      /** Behind an earlier summary, which leads and stays; else 0. */
      readonly start: number;
      readonly removedIds: readonly string[];
      /** What the removed messages had, less the marker, in tokens. */
      readonly freedTokens: number;
      /** Stands at the cut. */
      readonly marker: Message;
    }
  | {
      readonly kind: 'none';
      readonly reason: 'below-budget' | 'not-smaller' | 'protected-tail' | 'thinking-bound';
    };

/**
 * Drops whole oldest rounds without a model until the rest fits the budget. The last assistant message and everything after
 * it stay, and so does an earlier summary at the start. What goes is named in a marker.
 *
 * @throws RangeError for a budget that is no number of tokens; TypeError where `sizeOf` is no function.
 */
export function planSnip(messages: readonly Message[], options: SnipOptions): SnipPlan {
  checkMessages(messages, 'messages');
  checkOptions<SnipOptions>(options, {
    budgetTokens: required(number({ min: 0 })),
    leastFreedTokens: number(),
    sizeOf: required('a function'),
  });
  const { budgetTokens, sizeOf, thinking } = options;
  const total = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  if (total <= budgetTokens) return { kind: 'none', reason: 'below-budget' };
  const cuts = options.cuts ?? legalCuts(messages, { behindSummary: true });
  const start = startOf(messages, cuts);
  const ends = cuts.filter((cut) => cut > start && cut <= protectedFrom(messages));
  const markerTokens = sizeOf(markerFor(messages, undefined));
  const { leastFreedTokens = total * LEAST_FREED } = options;
  const most = Math.min(budgetTokens, total - leastFreedTokens);
  let freed = 0;
  let index = start;
  const enough = ends.find((cut) => {
    for (; index < cut; index++) freed += sizeOf(messages[index] as Message);
    return total - freed + markerTokens <= most;
  });
  const end = enough ?? ends.at(-1);
  if (end === undefined) return { kind: 'none', reason: 'protected-tail' };
  const tail = unbindTail(messages, { start: end, rule: thinking });
  const isSame = tail?.every((message, at) => message === messages[end + at]);
  if (!isSame) return { kind: 'none', reason: 'thinking-bound' };
  const removed = messages.slice(start, end);
  const marker = markerFor(removed, options.markerId);
  const freedTokens = removed.reduce((sum, message) => sum + sizeOf(message), 0) - sizeOf(marker);
  if (freedTokens <= 0) return { kind: 'none', reason: 'protected-tail' };
  if (freedTokens < leastFreedTokens) return { kind: 'none', reason: 'not-smaller' };
  return { kind: 'snip', start, end, removedIds: idsOf(removed), freedTokens, marker };
}

/** The share of the messages that dropping rounds has to free. */
const LEAST_FREED = 0.1;

/** The edit for a plan on the view of a log; its receipt lists what was removed. */
export function snipEdit(
  plan: Extract<SnipPlan, { kind: 'snip' }>,
  messages: readonly ViewMessage[],
): Edit & { readonly kind: 'replace-span' } {
  return spanEdit(messages, plan, { with: [plan.marker] });
}

/** Behind an earlier summary, and what stands with it for the same span. */
function startOf(messages: readonly Message[], cuts: readonly number[]): number {
  if (!messages[0] || !isSummary(messages[0])) return 0;
  return cuts.find((cut) => cut > 0) ?? messages.length;
}

function protectedFrom(messages: readonly Message[]): number {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return Math.max(last, 0);
}

const idsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message as Partial<ViewMessage>).sources ?? [message.id]);

function markerFor(removed: readonly Message[], markerId: string | undefined): Message {
  const rounds = apiRounds(removed).length;
  const ids = idsOf(removed);
  const text = `[${removed.length} older messages (${rounds} rounds) were taken out of the conversation to make room.]`;
  return {
    id: markerId ?? `snip-${ids[0]}-${ids.at(-1)}`,
    role: 'user',
    content: [{ type: 'text', text }],
    origin: { kind: 'synthetic', removedIds: ids },
  };
}
