import type { Block } from '@varve/messages';
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import { refuseForeign } from '@varve/messages/foreign';
import { checkBlock, checkHead, checkMessage } from './check-message.ts';
import {
  addClasses,
  type ClassTokens,
  type ContentClass,
  NO_TOKENS,
  scaleClasses,
  totalTokens,
} from './content-class.ts';
import { crudeEstimator } from './crude-estimator.ts';
import { estimateBlock, familyText } from './estimator-block.ts';
import { familyFactors } from './estimator-family.ts';
import { estimateHead, type HeadLike } from './estimator-head.ts';
import { estimateText } from './estimator-text.ts';
import { looseJson } from './loose-json.ts';
import type { TokenizerFamily } from './model-info.ts';

export type { HeadLike } from './estimator-head.ts';

/**
 * Estimates tokens without a vocabulary. Blocks, messages and heads are taken to be immutable: each is counted once and
 * remembered for as long as the object lives, so a growing history costs only what is new. Of a value that JSON cannot write
 * (one that holds itself, a BigInt, a getter that throws) it counts what can be read.
 */
export interface Estimator {
  /** Stands beside figures in reports, e.g. `varve-claude-new`. */
  readonly name: string;
  /** Changes whenever the same input may give another number. */
  readonly version: string;
  /** Tokens of a plain string. */
  text(text: string): number;
  /** Tokens of one block, its framing included. */
  block(block: BlockLike): number;
  /**
   * Tokens of one message, its blocks and framing included. Like `classes` it throws `MessagesError` `foreign-messages` for
   * one of another library, and a TypeError that says what was expected for what is none.
   */
  message(message: MessageLike): number;
  /** The same by class, not rounded; their sum rounded up is `message()`. */
  classes(message: MessageLike): ClassTokens;
  /** Tokens of the system prompt and the tool definitions. */
  head(head: HeadLike): number;
  /** The same by class, not rounded. */
  headClasses(head: HeadLike): ClassTokens;
}

/** What of an exact counter is used. */
export interface TextCounter {
  readonly encoding: string;
  count(text: string): number;
}

export interface EstimatorOptions {
  /**
   * Whose tokenizer to estimate. `crude`: the rule of thumb of many agents instead, to compare with or to fall back on: text at
   * four bytes a token, tool input, schemas and structured results at two, an image or document at 2,000, every block rounded up;
   * it takes neither a counter nor a calibration.
   * @default 'o200k'
   */
  readonly family?: TokenizerFamily | 'crude' | undefined;
  /**
   * An exact counter (`loadExactCounter`) to count texts with, in place of the estimate. The family's ratios are per token
   * of `o200k_base`: with that encoding `o200k` counts exactly, and the other families about half as far off as by
   * estimate.
   */
  readonly counter?: TextCounter | undefined;
  /** Factors on top of the family's, by class: what a calibration learned from billed usage. */
  readonly calibration?: Partial<Readonly<Record<ContentClass, number>>> | undefined;
}

const VERSION = '2';

/** Creates the estimator of a tokenizer family. Two estimators share nothing. */
export function createEstimator(options: EstimatorOptions = {}): Estimator {
  const { family = 'o200k', counter, calibration = {} } = options;
  if (family === 'crude') return crudeEstimator;
  const factors = { ...familyFactors(family), ...(counter && { countText: exactText(counter) }) };
  const isCalibrated = Object.keys(calibration).length > 0;
  const calibrated = (classes: ClassTokens) =>
    isCalibrated ? scaleClasses(classes, calibration) : classes;
  const text = (value: string) => calibrated(familyText(value, factors));
  const perMessage = calibrated({ ...NO_TOKENS, framing: factors.perMessage });
  const remember = remembering(text);
  const block = remember((value: BlockLike) => {
    checkBlock(value);
    return calibrated(estimateBlock(value as Block, factors));
  });
  const headClasses = remember((head: HeadLike) => {
    checkHead(head);
    return calibrated(estimateHead(head, factors));
  });
  const classes = remember((message: MessageLike) => {
    refuseForeign([message]);
    checkMessage(message);
    const { content = [] } = message;
    if (typeof content === 'string') return addClasses(perMessage, text(content));
    return content.map(block).reduce(addClasses, perMessage);
  });
  return {
    name: counter === undefined ? `varve-${family}` : `varve-${family}-${counter.encoding}`,
    version: VERSION,
    text: (value) => totalTokens(text(value)),
    block: (value) => totalTokens(block(value)),
    message: (message) => totalTokens(classes(message)),
    classes,
    head: (head) => totalTokens(headClasses(head)),
    headClasses,
  };
}

/** The exact count, on the classes as the estimate spreads it. */
function exactText(counter: TextCounter): (text: string) => ClassTokens {
  return (text) => {
    const count = counter.count(text);
    const estimate = estimateText(text);
    const total = estimate.text + estimate.dense + estimate.cjk + estimate.script;
    if (total === 0) return { ...NO_TOKENS, text: count };
    const ratio = count / total;
    return scaleClasses(estimate, { text: ratio, dense: ratio, cjk: ratio, script: ratio });
  };
}

/** Counts an object once. One that cannot be read counts as what can be read of its JSON. */
function remembering(text: (value: string) => ClassTokens) {
  return <Key extends object>(compute: (key: Key) => ClassTokens): ((key: Key) => ClassTokens) => {
    const known = new WeakMap<Key, ClassTokens>();
    const ofParts = (key: Key): ClassTokens => {
      try {
        return compute(key);
      } catch (error) {
        let isReadable = true;
        const parts = looseJson(key, () => {
          isReadable = false;
        });
        const json = [...parts].join('');
        if (isReadable) throw error;
        return text(json);
      }
    };
    return (key) => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const classes = ofParts(key);
      known.set(key, classes);
      return classes;
    };
  };
}
