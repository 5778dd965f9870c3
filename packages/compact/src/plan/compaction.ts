import { checkOptions, required } from '@varve/guards';
import { createLedger, type Ledger } from '@varve/ledger';
import type { Message, Plan, PlanContext, Planner, View } from '@varve/messages';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { checkModels } from '@varve/tokens/models';
import type { BreakerState } from '../auto/breaker.ts';
import {
  type AutoSwitches,
  type CompactionDecision,
  decideCompaction,
} from '../auto/decide-compaction.ts';
import { largestProducers, type Producer } from '../auto/producers.ts';
import type { Attach } from '../full/attachments.ts';
import { A_LEDGER } from '../full/check-given.ts';
import { sumOf } from '../full/draft.ts';
import { factsOf } from '../full/facts-of.ts';
import type { CompactFailure } from '../full/failure.ts';
import { openMessages } from '../full/open-messages.ts';
import { earlierOf, headOf } from '../full/plain-situation.ts';
import { type FullOptions, type Settings, settingsOf } from '../full/settings.ts';
import type { Situation } from '../full/situation.ts';
import { withEarlier } from '../full/with-earlier.ts';
import { type Around, aroundOf, type PartialDirection, reasonOf } from '../partial/split.ts';
import { summarize } from '../partial/summarize-part.ts';
import type { Compaction, CompactionFailed, Trigger } from '../types.ts';
import { createLogFold, type LogFold } from './log-fold.ts';
import { finishWork } from './to-edit.ts';
import type { CompactionWork } from './work.ts';

export interface CompactionOptions extends FullOptions {
  /** What turns automatic compaction off, asked before each request. */
  readonly switches?: (() => AutoSwitches) | undefined;
  /** Texts that stand in every summary word for word, asked when one is made. */
  readonly pins?: (() => readonly string[]) | undefined;
  /** A ledger that somebody else feeds. @default one of its own, fed by `observe` */
  readonly ledger?: Ledger | undefined;
  /** Takes secrets out of summaries; what is kept stays as it is. A `ledger` that is given decides for itself. @default true */
  readonly redact?: boolean | undefined;
  /** Entries of one's own; they win over the model table, which says how much a model can reply. */
  readonly models?: readonly ModelInfo[] | undefined;
}

export interface NowOptions {
  readonly trigger: Trigger;
  /** Kebab-case. @default 'manual' or 'over-threshold'; `partial-from` or `partial-up-to` */
  readonly reason?: string | undefined;
  readonly focus?: string | undefined;
  /** @default what the planner was made with */
  readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
  /**
   * Compacts one side of the conversation only. `from`: the message `pivot` and what follows is summarised, and what comes
   * before keeps its bytes and its cache; `up-to`: what comes before it is summarised, and the rest stays.
   * @default all of it but `keepTokens`
   */
  readonly direction?: PartialDirection | undefined;
  /** Id of a message of the view, or of one that it was made of, for `direction`; the nearest legal cut before it is taken. */
  readonly pivot?: string | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Messages that follow what is kept, with ids the log does not have. Asked for once a summary stands. While calls wait
   * for results the log refuses an edit that brings any: append it once the round is closed.
   */
  readonly attach?: Attach<Message> | undefined;
}

/**
 * Compaction as a planner on a log. The caller runs the work, and appends its edit by `compact` if `isStillCurrent` says so,
 * or the note of a failed attempt (`AttemptNote`), which is how the breaker knows of it; and `{ kind: 'compaction-paused' }` once it
 * has told the person of `no-headroom`.
 */
export interface Compactor extends Planner<CompactionWork> {
  /** Decides whether the next request needs a compaction. */
  plan(context: PlanContext): Plan<CompactionWork>;
  /** The same without asking thresholds, switches and breaker: by hand, or because a request was refused. @throws TypeError for options that make no sense */
  planNow(context: PlanContext, options: NowOptions): Plan<CompactionWork>;
  /** The decision behind `plan`, with its sizes. */
  decide(context: PlanContext): CompactionDecision;
  /**
   * Makes the edit; appends nothing.
   *
   * @throws the signal's reason, an `AbortError` unless one was given; CompactError `attach-threw`
   */
  run(
    work: CompactionWork,
    options?: RunOptions,
  ): Promise<Compaction | CompactionFailed<CompactFailure>>;
  breaker(): BreakerState;
  /** Which tools fill the view, the largest first. */
  producers(sizeOf: (message: Message) => number): readonly Producer[];
  readonly ledger: Ledger;
}

/**
 * Creates the compaction of one thread. All it knows is in the log.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function createCompaction(options: CompactionOptions): Compactor {
  const settings = settingsOf(options);
  checkOptions<CompactionOptions>(options, GIVEN);
  checkModels(options.models);
  const { redact, switches, pins, models } = options;
  const { ledger = createLedger({ redact }) } = options;
  const fold = createLogFold();
  const decide = (context: PlanContext) => decideOn(fold, context, switches?.());
  const planNow = (context: PlanContext, now: NowOptions) => {
    checkOptions<NowOptions>(now, NOW);
    return planWork(fold, context, { now, ledger, pins: pinned(pins), models });
  };
  return {
    ledger,
    decide,
    planNow,
    observe(entry, view) {
      fold.observe(entry, view);
      if (options.ledger === undefined) ledger.observe(entry, view);
    },
    plan(context) {
      const decision = decide(context);
      if (decision.kind === 'none') return { kind: 'none', reason: decision.reason };
      return planNow(context, { trigger: 'auto' });
    },
    run: (work, running = {}) => runWork(work, settings, running),
    breaker: fold.breaker,
    producers: (sizeOf) => largestProducers(fold.view().messages, sizeOf),
  };
}

const NOW = {
  trigger: required(['auto', 'manual']),
  direction: ['from', 'up-to'],
  pivot: 'a text',
} as const;

const GIVEN = {
  switches: {
    what: 'a function that returns switches',
    fits: (each: unknown) => typeof each === 'function',
  },
  pins: {
    what: 'a function that returns a list of texts',
    fits: (each: unknown) => typeof each === 'function',
  },
  ledger: A_LEDGER,
};

/** @throws TypeError where a caller's function returns anything else */
function pinned(pins: CompactionOptions['pins']): readonly string[] | undefined {
  const texts = pins?.();
  checkOptions({ 'pins()': texts }, { 'pins()': 'a list of texts' });
  return texts;
}

function decideOn(
  fold: LogFold,
  context: PlanContext,
  switches: AutoSwitches | undefined,
): CompactionDecision {
  fold.readNew(context.sizeOf);
  return decideCompaction({
    contextTokens: context.contextTokens,
    thresholdTokens: context.limits.autocompactTokens,
    effectiveTokens: context.limits.effectiveTokens,
    windowTokens: context.limits.windowTokens,
    overheadTokens: () => fixedTokens(fold, context),
    breaker: fold.breaker(),
    switches,
  });
}

async function runWork(
  work: CompactionWork,
  settings: Settings,
  running: RunOptions,
): Promise<Compaction | CompactionFailed<CompactFailure>> {
  const { trigger, focus, situation, tooLong = settings.tooLong } = work;
  const around = work.around && placeOf(work.around, situation);
  if (around?.pivot === -1) return { kind: 'failed', reason: 'nothing-to-compact', calls: 0 };
  const occasion = { trigger, focus, around, signal: running.signal };
  const result = await summarize(situation, { ...settings, tooLong }, occasion);
  if (result.kind === 'failed') return result;
  return finishWork(result, work, { ...running, ...settings });
}

/** The pivot by its place; -1 where the view does not have it. */
function placeOf({ direction, pivot }: Around<string>, { messages }: Situation): Around {
  const isNamed = (message: { readonly id: string }): boolean =>
    message.id === pivot ||
    ('sources' in message && (message.sources as readonly string[]).includes(pivot));
  return { direction, pivot: messages.findIndex(isNamed) };
}

interface Wanted {
  readonly now: NowOptions;
  readonly ledger: Ledger;
  readonly pins: readonly string[] | undefined;
  readonly models: CompactionOptions['models'];
}

/** What a plan was made on. */
interface Seen {
  readonly view: View;
  /** Of all its messages. */
  readonly messageTokens: number;
}

function planWork(fold: LogFold, context: PlanContext, wanted: Wanted): Plan<CompactionWork> {
  const view = fold.view();
  if (view.open) return { kind: 'none', reason: 'round-open' };
  if (view.messages.length === 0) return { kind: 'none', reason: 'nothing-to-compact' };
  if (!view.head?.model.trim()) return { kind: 'none', reason: 'no-head' };
  const { now } = wanted;
  const { trigger, focus, tooLong } = now;
  const around = aroundOf(now);
  const { reason = reasonOf(trigger, around) } = now;
  const messageTokens = fold.tokens(context.sizeOf);
  let situation: Situation | undefined;
  const work: CompactionWork = {
    ...{ trigger, reason, focus, tooLong, around },
    messages: view.messages,
    thinking: context.thinking,
    get situation() {
      situation ??= logSituation(fold, context, { ...wanted, view, messageTokens });
      return situation;
    },
    basis: fold.lastEntryId(),
    idPrefix: fold.idPrefix(),
  };
  return { kind: 'work', work, reason };
}

function logSituation(
  fold: LogFold,
  context: PlanContext,
  { view, messageTokens, ledger, pins, models }: Wanted & Seen,
): Situation {
  const { messages } = view;
  const head = headOf(view.head);
  const { limits, sizeOf, contextTokens, thinking } = context;
  const { model } = resolveModel(head.model, { models });
  const { text: sizeOfText, head: sizeOfHead } = createEstimator({ family: model.tokenizer });
  const besideTokens = contextTokens - messageTokens;
  return {
    head,
    messages,
    cuts: fold.cuts(view),
    ...limits,
    maxOutputTokens: model.maxOutputTokens,
    tokenizer: model.tokenizer,
    tokensBefore: contextTokens,
    overheadTokens: Math.max(isEditedByProvider(view) ? sizeOfHead(head) : 0, besideTokens),
    restTokens: 0,
    earlier: earlierOf(messages),
    sizeOf,
    sizeOfText,
    sizeOfHead,
    thinking,
    facts: withEarlier(factsOf(ledger, { sizeOf: sizeOfText, pins }), messages[0], sizeOfText),
    discovered: fold.discovered(),
  };
}

/**
 * Whether the provider leaves out of requests what the view shows. What is billed is too little then to tell what stands beside
 * the messages, and a call for a summary carries all of them.
 */
const isEditedByProvider = ({ head, server }: View): boolean =>
  [head?.params, server].some((params) => params?.context_management !== undefined);

/** What no compaction takes away: system prompt, tools, requests that are not done. */
function fixedTokens(fold: LogFold, { contextTokens, sizeOf }: PlanContext): number {
  const { messages } = fold.view();
  const open = openMessages(messages).map((index) => messages[index] as Message);
  return Math.max(0, contextTokens - fold.tokens(sizeOf)) + sumOf(open, sizeOf);
}
