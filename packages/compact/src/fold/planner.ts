import { checkOptions, integer } from '@varve/guards';
import type {
  Edit,
  Message,
  Plan,
  PlanContext,
  Planner,
  ToolResultBlock,
  View,
} from '@varve/messages';
import { broughtMessages, editReceipt, logOf } from '@varve/messages/log';
import { isSynthetic } from '@varve/messages/persons';
import { storedHandle } from '@varve/messages/stored';
import { openTurnStart, thinkingBlocks, thinkingDrops } from '@varve/messages/thinking';
import { spanEdit } from '../plan/span-edit.ts';
import { createStretches, type Stretch, textMessage } from './stretches.ts';

export interface FoldOptions {
  /** How many requests old a call is before it is folded. @default 12 */
  readonly afterRequests?: number | undefined;
  /** What all stretches together have to save before the cached prefix is changed for it, in tokens. @default 6,000 */
  readonly minSavingsTokens?: number | undefined;
  /**
   * The same where the prefix is lost anyway: the cache is cold, or another layer has just edited. @default a quarter of
   * `minSavingsTokens`
   */
  readonly minColdSavingsTokens?: number | undefined;
  /** Where a result is stored whole: the line of its call names it. @default what a stored result's text says */
  readonly handleOf?: ((block: ToolResultBlock) => string | undefined) | undefined;
}

/**
 * Creates a planner that turns old small calls into one line each. It takes rounds in which nothing large is left to clear:
 * what the model said between its calls stays where it says something, and nothing that a person said is touched. It needs no
 * model. All it knows is in the log; `observe` and `plan` cost what is new, and after an edit one look at each message of the
 * view.
 *
 * @throws RangeError for a number that makes no sense.
 */
export function createFold(options: FoldOptions = {}): Planner {
  checkOptions<FoldOptions>(options, {
    afterRequests: integer(1),
    minSavingsTokens: integer(0),
    minColdSavingsTokens: integer(0),
    handleOf: 'a function',
  });
  const { afterRequests = 12, minSavingsTokens = 6_000 } = options;
  const { minColdSavingsTokens = Math.floor(minSavingsTokens / 4) } = options;
  const { handleOf = storedHandle } = options;
  let view: View = { messages: [], changedFrom: 0 };
  /** Replies so far, and how many there were when a message was logged. */
  let requests = 0;
  const requestAt = new Map<string, number>();
  /** Messages before which something was taken away with nothing in its place. */
  const gaps = new Set<string>();
  let isGapAtEnd = false;
  /** Another layer has edited since the newest reply. */
  let isBroken = false;
  const stretches = createStretches({
    afterRequests,
    addedAt: (id) => requestAt.get(id) ?? 0,
    isBehindGap: (id) => gaps.has(id),
  });
  const note = ({ id, role }: Message, isReply: boolean): void => {
    if (role === 'assistant' && isReply) {
      requests++;
      isBroken = false;
    }
    requestAt.set(id, requests);
    if (isGapAtEnd) gaps.add(id);
    isGapAtEnd = false;
  };
  return {
    observe(entry, next) {
      view = next;
      if (entry.type === 'message') note(entry.message, !isSynthetic(entry.message));
      if (entry.type !== 'edit') return;
      stretches.changed();
      if (entry.edit.kind !== 'server') isBroken = true;
      for (const message of broughtMessages(entry)) note(message, false);
      if (entry.edit.kind !== 'replace-span' || entry.edit.with.length > 0) return;
      const behind = next.messages[next.changedFrom]?.sources[0];
      if (behind === undefined) isGapAtEnd = true;
      else gaps.add(behind);
    },
    plan(context) {
      const isFree = isBroken || !context.cache.warm;
      const least = isFree ? minColdSavingsTokens : minSavingsTokens;
      const { sizeOf } = context;
      const { logged, broughtBy } = logOf(view);
      const mayEnd = (id: string) => broughtBy(id)?.as !== 'with';
      const found = stretches.find(view.messages, {
        ...{ requests, sizeOf, logged, handleOf, mayEnd },
      });
      if (found.mostSavedTokens < Math.max(1, least)) return { kind: 'none', reason: 'too-little' };
      const until = mayFoldUntil(view, context);
      const folded = found.stretches().filter(({ end }) => end <= until);
      const savedTokens = folded.reduce((sum, stretch) => sum + stretch.savedTokens, 0);
      if (savedTokens < Math.max(1, least)) return { kind: 'none', reason: 'too-little' };
      return planFold(view, folded, { ...context, savedTokens });
    },
  };
}

function planFold(
  view: View,
  stretches: readonly Stretch[],
  { savedTokens, ...context }: PlanContext & { readonly savedTokens: number },
): Plan {
  const legal = legalFold(view, stretches, context);
  if (legal === undefined) return { kind: 'none', reason: 'thinking-bound' };
  const { has } = logOf(view);
  const folds = stretches.map(({ start, end, text }) => {
    const id = freeId(`fold-${view.messages[start]?.id}`, has);
    const message = {
      ...textMessage(text),
      id,
      origin: { kind: 'synthetic', by: 'fold' },
    } as const;
    return spanEdit(view.messages, { start, end }, { with: [message] });
  });
  const dropped = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  const { contextTokens } = context;
  const receipt = editReceipt({
    reason: REASON,
    tokensBefore: contextTokens,
    tokensAfter: contextTokens - savedTokens,
    dropped,
    kept: view.messages.length - dropped,
  });
  return { kind: 'edit', edits: [...legal, ...folds], reason: REASON, receipt };
}

const REASON = 'old-calls';

/** An open turn stays as it is where the model wants its thinking back: a text of ours in it would part it. */
function mayFoldUntil(
  { messages }: View,
  { thinking: rule, atUserTurn: turnIsOver }: PlanContext,
): number {
  const { keep } = thinkingDrops(messages, { rule, turnIsOver, closedTurns: 'keep' });
  return keep.length > 0 ? openTurnStart(messages) : messages.length;
}

/** What else has to go so that the model takes the fold; undefined where it would not. */
function legalFold(
  view: View,
  stretches: readonly Stretch[],
  context: PlanContext,
): readonly Edit[] | undefined {
  const { messages } = view;
  const { kind, drop } = thinkingDrops(messages, {
    rule: context.thinking,
    changedFrom: stretches[0]?.start,
    turnIsOver: context.atUserTurn,
    closedTurns: 'keep',
    messagesStay: true,
  });
  if (kind === 'bound') return undefined;
  if (drop.length === 0) return [];
  const blocks = thinkingBlocks(messages, drop, logOf(view).logged);
  return blocks && [{ kind: 'replace-content', blocks }];
}

/** An id that no message has yet: a fold that was undone left its own in the log. */
function freeId(id: string, has: (id: string) => boolean): string {
  let free = id;
  for (let count = 2; has(free); count++) free = `${id}-${count}`;
  return free;
}
