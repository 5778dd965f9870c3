import { untilAborted } from '@varve/guards';
import type {
  Edit,
  Entry,
  Head,
  JsonObject,
  Message,
  Plan,
  PlanContext,
  Planner,
  ThinkingRule,
  Usage,
  View,
  ViewMessage,
} from '@varve/messages';
import { partsSpan } from '@varve/messages/log';
import { acceptSize } from '@varve/tokens/limits';
import { addUsage } from '../full/call.ts';
import { checkModel } from '../full/plain-situation.ts';
import { createCollapseLog, type SpanEnds } from './collapse-log.ts';
import { commitReceipt, commitSpans, type PlacedSpan, placeSpans } from './commit.ts';
import { type CollapseOptions, marksOf, type Settings, settingsOf } from './settings.ts';
import { type SpanSizes, spanSizes } from './span-sizes.ts';
import { type CollapseSpan, findSpans } from './spans.ts';
import { writeSpan } from './write-span.ts';

type CommitContext = Pick<PlanContext, 'atUserTurn' | 'thinking' | 'contextTokens'>;

/** Spans that need a summary; without spans there is only something to wait for. */
export interface CollapseWork {
  readonly spans: readonly CollapseSpan[];
  readonly head: Head;
  readonly thinking: ThinkingRule;
  readonly sizes: SpanSizes;
  /** Whether the next request has to wait until it is done. */
  readonly blocking: boolean;
}

export interface CollapseResult {
  /** To be appended as notes by `collapse`, in order. */
  readonly notes: readonly JsonObject[];
  readonly calls: number;
  readonly usage?: Usage;
}

/** Folds old stretches of work, one by one, so that they can be unfolded again. */
export interface Collapse extends Planner<CollapseWork> {
  observe(entry: Entry, view: View): void;
  plan(context: PlanContext): Plan<CollapseWork>;
  /** Position of the first message that the next commit changes; undefined where nothing is staged. */
  frontier(): number | undefined;
  /**
   * Has summaries written and changes nothing. What is being written is not asked for again meanwhile.
   *
   * @throws the signal's reason, an `AbortError` unless one was given: as if it had not been called.
   */
  run(
    work: CollapseWork,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<CollapseResult>;
  /** After an overflow: commits whatever is staged, whatever the size. */
  recover(context: CommitContext): Plan;
  /** The edit that unfolds a collapse; undefined where the entry is none in force. It is not folded again. */
  expand(entryId: string): Extract<Edit, { kind: 'undo' }> | undefined;
}

/**
 * Creates a planner for one thread. All it knows is in the log: staged summaries as notes, commits as edits, both by
 * `collapse`. A compaction that hides a staged span makes it void.
 *
 * @throws RangeError for shares that are not in order.
 */
export function createCollapse(options: CollapseOptions): Collapse {
  const settings = settingsOf(options);
  const log = createCollapseLog();
  let view: View = { messages: [], changedFrom: 0 };
  let running: Promise<unknown> | undefined;

  const placed = () => placeSpans(log.staged(), view);
  const commit = (context: CommitContext, reason: string): Plan => {
    const spans = placed();
    if (spans.length === 0) return { kind: 'none', reason: 'nothing-staged' };
    const made = commitSpans(spans, { view, context });
    if (!made) return { kind: 'none', reason: 'thinking-bound' };
    const { folded, edits } = made;
    const { contextTokens: tokensBefore } = context;
    const { originals, sizeOfText, minSavings } = settings;
    const facts = { reason, view, tokensBefore, originals, sizeOfText };
    const receipt = commitReceipt(folded, facts);
    const size = acceptSize(receipt.tokensAfter, { ofTokens: tokensBefore, minSavings });
    if (size.kind === 'refused') return { kind: 'none', reason: size.reason };
    return { kind: 'edit', edits, reason, receipt };
  };
  const stage = (context: PlanContext, blocking: boolean): Plan<CollapseWork> => {
    const { head } = view;
    if (!head?.model.trim()) return { kind: 'none', reason: 'no-head' };
    const spanHead = settings.headFor(head);
    checkModel(spanHead);
    const workOn = (spans: readonly CollapseSpan[]): CollapseWork => ({
      ...{ spans, head: spanHead, thinking: context.thinking, blocking },
      sizes: spanSizes(spanHead, view, context, settings.models),
    });
    if (running) {
      if (!blocking) return { kind: 'none', reason: 'being-staged' };
      return { kind: 'work', work: workOn([]), reason: 'wait-for-staged' };
    }
    const waiting = placed();
    const wantedTokens = tokensToFold(waiting, settings, context);
    if (wantedTokens <= 0 && waiting.length > 0) return { kind: 'none', reason: 'enough-staged' };
    const spans = spansToFold(view, { log, settings, context, waiting, wantedTokens });
    if (spans.length === 0) return { kind: 'none', reason: 'nothing-to-fold' };
    return { kind: 'work', work: workOn(spans), reason: 'stage-spans' };
  };

  return {
    observe(entry, next) {
      log.observe(entry, next);
      view = next;
    },
    plan(context) {
      const { contextTokens, limits } = context;
      const { stageTokens, commitTokens } = marksOf(settings, limits);
      if (!settings.isMainThread) return { kind: 'none', reason: 'not-main-thread' };
      if (contextTokens < stageTokens) return { kind: 'none', reason: 'below-threshold' };
      if (contextTokens < commitTokens) return stage(context, false);
      const plan = commit(context, 'commit-staged');
      return plan.kind === 'none' && TOO_LITTLE.has(plan.reason) ? stage(context, true) : plan;
    },
    frontier: () => placed()[0]?.start,
    recover: (context) => commit(context, 'overflow'),
    expand: (entryId) => (log.isCollapse(entryId) ? { kind: 'undo', entryId } : undefined),
    async run(work, { signal } = {}) {
      if (work.spans.length === 0) {
        await untilAborted(settled(running), signal);
        return { notes: [], calls: 0 };
      }
      const writing = writeAll(work, settings, signal).finally(() => {
        if (running === writing) running = undefined;
      });
      running = writing;
      return writing;
    },
  };
}

/** Reasons for which more has to be staged before a commit. */
const TOO_LITTLE: ReadonlySet<string> = new Set(['nothing-staged', 'not-smaller']);

/** Whoever started it hears of a failure. */
async function settled(running: Promise<unknown> | undefined): Promise<void> {
  await running?.then(
    () => {},
    () => {},
  );
}

interface Situation {
  readonly log: ReturnType<typeof createCollapseLog>;
  readonly settings: Settings;
  readonly context: PlanContext;
  /** What is staged and can be committed. */
  readonly waiting: readonly PlacedSpan[];
  readonly wantedTokens: number;
}

/** What committing the spans that wait leaves above the target, in tokens. */
function tokensToFold(
  waiting: readonly PlacedSpan[],
  settings: Settings,
  { contextTokens, limits }: PlanContext,
): number {
  const waitingTokens = waiting.reduce((sum, { tokens }) => sum + tokens, 0);
  return contextTokens - waitingTokens - marksOf(settings, limits).targetTokens;
}

function spansToFold(view: View, situation: Situation): readonly CollapseSpan[] {
  const { log, settings, context, waiting, wantedTokens } = situation;
  const { limits, sizeOf } = context;
  const { keepTokens, spanTokens, minSpanTokens } = settings;
  const held = heldMessages(view, [...waiting, ...log.expanded(), ...log.givenUp()]);
  return findSpans(view.messages, {
    ...{ sizeOf: (message: Message) => sizeOf(message), spanTokens, minSpanTokens },
    keepTokens: Math.min(keepTokens, limits.effectiveTokens / 4),
    wantedTokens,
    isHeld: (message) => held.has(message),
  });
}

/** Messages of the view between ends that are named, both included, and those that stand for one span together. */
function heldMessages(view: View, spans: readonly SpanEnds[]): ReadonlySet<ViewMessage> {
  const { messages } = view;
  const held = new Set(
    messages.filter((_, index) => partsSpan(view, index) || partsSpan(view, index + 1)),
  );
  if (spans.length === 0) return held;
  const places = new Map<string, number>();
  for (const [index, { sources }] of messages.entries()) {
    for (const source of sources) places.set(source, index);
  }
  for (const { fromId, toId } of spans) {
    const [from, to] = [places.get(fromId), places.get(toId)];
    if (from === undefined || to === undefined) continue;
    for (const message of messages.slice(from, to + 1)) held.add(message);
  }
  return held;
}

async function writeAll(
  { spans, head, thinking, sizes }: CollapseWork,
  writer: Settings,
  signal: AbortSignal | undefined,
): Promise<CollapseResult> {
  const notes: JsonObject[] = [];
  let usage: Usage | undefined;
  let calls = 0;
  for (const span of spans) {
    const written = await writeSpan(span, { head, thinking, sizes, writer }, signal);
    notes.push(written.data);
    calls += written.calls;
    usage = addUsage(usage, written.usage);
  }
  signal?.throwIfAborted();
  return { notes, calls, ...(usage && { usage }) };
}
