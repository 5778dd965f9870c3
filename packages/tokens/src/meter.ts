import type { Entry, Usage, View } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';
import type { ClassTokens } from './content-class.ts';
import { createEstimator, type Estimator, type HeadLike } from './estimator.ts';
import type { AnchorResult } from './meter-accept.ts';
import { syncMessages } from './meter-edit.ts';
import { takeHead, takeViewHead } from './meter-head.ts';
import { createLearnings, type ModelLearningState } from './meter-learning.ts';
import { createLedger } from './meter-ledger.ts';
import { addMessage, anchorUsage, type ResponseOptions } from './meter-plain.ts';
import { type ContextSize, sizeOf } from './meter-size.ts';
import { learningOf, type MeterState } from './meter-state.ts';
import { observeView } from './meter-view.ts';
import type { ModelInfo } from './model-info.ts';
import { resolveModel } from './resolve-model.ts';
import { contextWindow, isTokenLimit } from './window.ts';

export interface TokenMeterOptions {
  /** Id of the model the next request goes to. A view that carries a head brings its own. */
  readonly model: string;
  /** @default the vocabulary-free estimator of the model's tokenizer family */
  readonly estimator?: Estimator | undefined;
  /** System prompt and tools, where messages are added one by one. */
  readonly head?: HeadLike | undefined;
  /** A report above this many tokens is checked before it is believed. @default the window of the model */
  readonly windowTokens?: number | undefined;
  /** What `learned()` of another meter says, by model id. */
  readonly learned?: Readonly<Record<string, ModelLearningState>> | undefined;
  /** Entries of one's own; they win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/**
 * Knows the size of the next request. Feed it either message by message (`add`, `anchor`, `reset`, `removed`) or with
 * every entry of a log and the view after it (`observe`); each costs what is new, not what is there.
 */
export interface TokenMeter {
  /** A message that the next request carries, a reply included. */
  add(message: MessageLike, options?: ResponseOptions): void;
  /** The usage of the newest response, before or after its reply is added. */
  anchor(usage: Usage, options?: ResponseOptions): AnchorResult;
  /** After an edit: all messages of the next request. Those that are still the same keep their bills. */
  reset(messages: readonly MessageLike[]): void;
  /** Tokens that were taken out of the request without `reset`; the next usage knows of them by itself. */
  removed(tokens: number): void;
  /** Another system prompt or other tools: no earlier bill holds. */
  head(head: HeadLike): void;
  /** An entry of the log and the view after it. Says what became of the usage the entry brought, if it did. */
  observe(entry: Entry, view: View): AnchorResult | undefined;
  size(): ContextSize;
  /** What a class of content is billed per estimated token on the current model; 1 before anything was learned. */
  factors(): ClassTokens;
  /** What bills taught, by model id. Plain data, for `createTokenMeter({ learned })`. */
  learned(): Readonly<Record<string, ModelLearningState>>;
  /** A second meter that knows the same and goes its own way. */
  fork(): TokenMeter;
}

/**
 * Creates a meter for one thread. The size is the last real usage, its reply included, and an estimate of what was added
 * after it; a usage stops counting when something it measured changes. The estimate learns from every bill.
 */
export function createTokenMeter(options: TokenMeterOptions): TokenMeter {
  const { models, head, learned, windowTokens } = options;
  const { model } = resolveModel(options.model, { models });
  const { estimator = createEstimator({ family: model.tokenizer }) } = options;
  const state: MeterState = {
    estimator,
    learnings: createLearnings(learned),
    ledger: createLedger({ dropsThinking: () => state.model.stripsOldThinking }),
    anchors: [],
    model,
    windowTokens: isTokenLimit(windowTokens)
      ? windowTokens
      : contextWindow(options.model, { models }).tokens,
    head,
    constant: undefined,
    suspect: undefined,
    removedTokens: 0,
    awaitsReply: undefined,
    answered: 0,
    billedReplies: new Map(),
  };
  return meterOf(state, options);
}

function meterOf(state: MeterState, options: TokenMeterOptions): TokenMeter {
  /** Asked for several times between two changes. */
  let size: ContextSize | undefined;
  const changed = (): MeterState => {
    size = undefined;
    return state;
  };
  return {
    add(message, response) {
      checkMessages([message], 'messages');
      addMessage(changed(), message, response);
    },
    anchor: (usage, response) => anchorUsage(changed(), usage, response),
    reset(messages) {
      checkMessages(messages, 'messages');
      syncMessages(
        changed(),
        { length: messages.length, at: (index) => messages[index] as MessageLike },
        0,
      );
    },
    removed(tokens) {
      changed().removedTokens += tokens;
    },
    head: (head) => takeHead(changed(), head),
    observe(entry, view) {
      if (view.head) takeViewHead(changed(), view.head, options);
      return observeView(changed(), entry, view);
    },
    size() {
      size ??= Object.freeze(sizeOf(state));
      return size;
    },
    factors: () => learningOf(state).calibration.factors(),
    learned: () => state.learnings.state(),
    fork: () => meterOf(forkState(state), options),
  };
}

function forkState(state: MeterState): MeterState {
  const fork: MeterState = {
    ...state,
    learnings: createLearnings(state.learnings.state()),
    ledger: state.ledger.copy(() => fork.model.stripsOldThinking),
    anchors: [...state.anchors],
    billedReplies: new Map(state.billedReplies),
  };
  return fork;
}
