import type { ModelInfo } from './model-info.ts';
import { findModel } from './model-table.ts';

/** Marks a model id whose window is a million tokens, as some tools write it. */
const LONG_CONTEXT_SUFFIX = '[1m]';

export type ResolvedModel =
  | { readonly known: true; readonly model: ModelInfo }
  | {
      readonly known: false;
      readonly reason: 'not-in-table';
      /** For a log or a user: which model is unknown, and what was assumed instead. */
      readonly message: string;
      /** Assumed: the default window, no prices, no cache rules, the strictest thinking rule. */
      readonly model: ModelInfo;
    };

export interface ResolveModelOptions {
  /** Entries of one's own; they win over the table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** Window of a model nobody knows anything about, in tokens. */
export const DEFAULT_WINDOW_TOKENS = 200_000;

/**
 * The entry of a model, or a stand-in that says that it is one. A `[1m]` suffix is not part of the id. Nothing is guessed
 * from the name: an unknown model has no prices, so its tokens are reported as unpriced.
 */
export function resolveModel(id: string, options: ResolveModelOptions = {}): ResolvedModel {
  const { models = [] } = options;
  const bare = withoutSuffix(id);
  const model =
    models.find((own) => own.id === bare || own.aliases.includes(bare)) ?? findModel(bare);
  if (model !== undefined) return { known: true, model };
  return {
    known: false,
    reason: 'not-in-table',
    message: `The model \`${bare}\` is not in the table: a window of ${DEFAULT_WINDOW_TOKENS} tokens and no prices are assumed. Describe it in \`models\`.`,
    model: standIn(bare),
  };
}

function withoutSuffix(id: string): string {
  return hasLongContextSuffix(id) ? id.slice(0, -LONG_CONTEXT_SUFFIX.length) : id;
}

export function hasLongContextSuffix(id: string): boolean {
  return id.toLowerCase().endsWith(LONG_CONTEXT_SUFFIX);
}

function standIn(id: string): ModelInfo {
  return {
    id,
    aliases: [],
    provider: 'other',
    windowTokens: DEFAULT_WINDOW_TOKENS,
    prices: [],
    cache: { lifetimes: [], writes: 'no-fee' },
    tokenizer: 'unknown',
    thinking: 'prefix-bound',
    stripsOldThinking: false,
    serverFeatures: [],
    checkedOn: 'never',
    notes: ['not in the table'],
  };
}
