import { checkOptions, expected, isRecord, number, required } from '@varve/guards';
import { createModelEstimators } from '@varve/tokens/models';
import type { Decision } from './decisions.ts';
import { interruptible } from './interruptible.ts';
import { PREVIEW, type PreviewOptions } from './preview/preview.ts';
import type { ContentHash, ToolResultStore } from './store.ts';

/** From where on a result is stored: over `chars` UTF-16 units, or over `tokens`. `Infinity` never. */
export interface Threshold {
  /** @default 50000, or 200000 of a user's own text */
  readonly chars?: number | undefined;
  /**
   * Counted only for results that may be over it, with `sizeOf`; the replay did best at 4,000 beside old results being cleared.
   * @default 2 for 5 `chars`: no prose and no code is so dense, but base64, emoji and Chinese are
   */
  readonly tokens?: number | undefined;
}

export interface ToolStorageOptions {
  readonly store: ToolResultStore;
  /** Results of different sessions are kept apart. */
  readonly sessionId: string;
  /** For all tools; a number is characters. @default 50000 characters, or 20000 tokens */
  readonly threshold?: number | Threshold | undefined;
  /** Per tool; `Infinity` leaves a tool's results alone. */
  readonly tools?: Readonly<Record<string, number | Threshold>> | undefined;
  /** Asked at every decision and stronger than `tools`: for thresholds that change while a session runs. */
  readonly thresholdOf?: ((toolName: string) => number | Threshold | undefined) | undefined;
  /** UTF-16 units of all results of one user message together. @default 200000 */
  readonly roundChars?: number | undefined;
  /** Of a user's own text, for `offloadText`. @default 200000 characters, or 80000 tokens */
  readonly textThreshold?: number | Threshold | undefined;
  /** Size and style of previews. */
  readonly preview?: Omit<PreviewOptions, 'query'> | undefined;
  /** The model whose vocabulary texts are counted in. @default that of the newest head observed; else as `o200k` */
  readonly model?: string | undefined;
  /** Tokens of a text. @default the estimate of `@varve/tokens` for the model */
  readonly sizeOf?: ((text: string) => number) | undefined;
  /** @default the store's own hash, else a fingerprint */
  readonly hash?: ContentHash | undefined;
  /** Bytes on disk of this session. @default 500000000 */
  readonly maxSessionBytes?: number | undefined;
  /**
   * Bytes of all sessions of the store; what others write meanwhile is seen when a storage is created.
   * @default Infinity
   */
  readonly maxTotalBytes?: number | undefined;
  /** What one answer of `readTool` and `read` holds at most, in UTF-16 units. @default 8000, about 2,000 tokens */
  readonly readChars?: number | undefined;
  /** @default 'read_stored' */
  readonly readToolName?: string | undefined;
  /** Decisions of an earlier run or of the parent of a fork. */
  readonly decisions?: readonly Decision[] | undefined;
  /** Other sessions whose handles this one's history may name: those it was forked from. */
  readonly bases?: readonly string[] | undefined;
}

/** Options with all defaults filled in. */
export type Settings = ReturnType<typeof settingsOf>;

export function settingsOf(options: ToolStorageOptions, modelNow: () => string | undefined) {
  checkOptions(options, EXPECTED);
  const estimatorOf = createModelEstimators();
  const { store, sessionId, hash = store.hash, tools = {}, thresholdOf, bases = [] } = options;
  const { preview = {}, threshold = {}, textThreshold = {}, roundChars = 200_000 } = options;
  const { maxSessionBytes = 500_000_000, maxTotalBytes = Number.POSITIVE_INFINITY } = options;
  const { readChars = 8_000, readToolName = 'read_stored' } = options;
  const { sizeOf = (text: string) => estimatorOf(modelNow()).text(text) } = options;
  const { maxChars = 2_000, style = 'by-content' } = preview;
  checkOptions(preview, PREVIEW, 'preview');
  return {
    store: interruptible(store),
    sessionId,
    hash,
    bases,
    roundChars,
    textThreshold: limits('textThreshold', textThreshold, 200_000),
    preview: { maxChars, style },
    sizeOf,
    maxSessionBytes,
    maxTotalBytes,
    readChars,
    readToolName,
    limitsOf: createLimits(threshold, tools, thresholdOf),
  };
}

const SIZE = number({ min: 0 });
const THRESHOLD = { what: 'a number of characters or an object with `chars` and `tokens`' };
const EXPECTED = {
  store: required('an object'),
  sessionId: required({ what: 'a text', fits: (value: unknown) => typeof value === 'string' }),
  tools: 'an object',
  thresholdOf: 'a function',
  roundChars: SIZE,
  preview: 'an object',
  model: 'a text that is not blank',
  sizeOf: 'a function',
  maxSessionBytes: SIZE,
  maxTotalBytes: SIZE,
  readChars: number({ min: 200 }),
  readToolName: 'a text that is not blank',
  decisions: 'a list',
  bases: 'a list',
} as const;

function createLimits(
  threshold: number | Threshold,
  tools: Readonly<Record<string, number | Threshold>>,
  thresholdOf: ToolStorageOptions['thresholdOf'],
): (toolName: string) => { chars: number; tokens: number } {
  const common = limits('threshold', threshold);
  const perTool = new Map(
    Object.entries(tools).map(([name, value]) => [name, limits(`tools.${name}`, value)]),
  );
  return (toolName) => {
    const current = thresholdOf?.(toolName);
    if (current !== undefined) return limits('thresholdOf', current);
    return perTool.get(toolName) ?? common;
  };
}

/** Ordinary text has more characters than this in a token. */
const DENSE_CHARS_PER_TOKEN = 2.5;

/** A number is characters. */
function limits(
  name: string,
  value: number | Threshold,
  usualChars = 50_000,
): { chars: number; tokens: number } {
  if (typeof value === 'number') {
    if (!SIZE.fits(value)) throw expected(name, SIZE, value);
    return { chars: value, tokens: value / DENSE_CHARS_PER_TOKEN };
  }
  const given: unknown = value;
  if (!isRecord(given)) throw expected(name, THRESHOLD, given);
  checkOptions(value, { chars: SIZE, tokens: SIZE }, name);
  const { chars = usualChars, tokens = chars / DENSE_CHARS_PER_TOKEN } = value;
  return { chars, tokens };
}
