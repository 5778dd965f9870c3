import type { Context } from '@varve/context';
import type { Entry, JsonObject } from '@varve/messages';
import { logOf } from '@varve/messages/log';
import { promptParts } from '@varve/prompt-cache';
import { createEstimator, priceUsage, resolveModel } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';

type Usage = ReturnType<Context['usage']>;
type Limits = ReturnType<Context['limits']>;

/** What one layer did so far. */
export interface LayerReport {
  readonly layer: string;
  readonly edits: number;
  /** How often it did what, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Tokens that the next request had less for its edits, when they were made. */
  readonly freedTokens: number;
  /** At most: what the requests since would have paid to read what is gone, had all else been as it was. */
  readonly savedDollars: number;
}

/** Where every token and cent goes. Tokens of the next request are estimates, scaled to the last bill; dollars are billed, at list prices. */
export interface ContextReport {
  readonly sessionId: string;
  readonly model: string;
  readonly next: {
    readonly tokens: number;
    readonly parts: ReturnType<typeof promptParts>;
    readonly messages: number;
  } & Limits;
  readonly billed: Pick<Usage, 'calls' | 'dollars' | 'unpricedTokens' | 'callers' | 'models'> & {
    /** Share of prompt tokens that were read from the cache. */
    readonly hitShare: number;
    readonly split: Usage['split'];
  };
  /** How the provider's own diagnoses of the cache stand to ours, and the newest that differ. */
  readonly diagnoses: Usage['diagnoses'];
  readonly layers: readonly LayerReport[];
  readonly stored: { readonly results: number; readonly bytes: number };
  /** What the next compaction would do. */
  readonly compaction: {
    /** Tokens until it comes by itself. */
    readonly leftTokens: number;
    /** Requests until then, as the conversation has grown so far; undefined where it has not. */
    readonly leftRequests: number | undefined;
    /** What a summary would stand for. */
    readonly messages: number;
    readonly tokens: number;
    /** System prompt and tools, which stay. */
    readonly keptTokens: number;
  };
}

export interface ReportedSession {
  readonly id: string;
  readonly context: Context;
  readonly storage: ToolStorage | undefined;
}

export function contextReport({ id, context, storage }: ReportedSession): ContextReport {
  const { head, messages } = context.view();
  const { tokens } = context.size();
  const { cache, split, calls, dollars, unpricedTokens, callers, models, diagnoses } =
    context.usage();
  const limits = context.limits();
  const model = head?.model ?? '';
  const sizeOf = createEstimator({ family: resolveModel(model).model.tokenizer });
  const parts = promptParts({ head: head ?? NO_HEAD, messages }, { sizeOf, tokens });
  const keptTokens = parts.tools + parts.system;
  const stored = storage?.stored() ?? [];
  const leftTokens = Math.max(0, limits.autocompactTokens - tokens);
  const perRequest = cache.requests === 0 ? 0 : (tokens - keptTokens) / cache.requests;
  return {
    ...{ sessionId: id, model },
    next: { tokens, parts, messages: messages.length, ...limits },
    billed: {
      ...{ calls, dollars, unpricedTokens, callers, models, split },
      hitShare: cache.hitShare,
    },
    diagnoses,
    layers: layersOf(context.entries(), logOf(context.view()), model),
    stored: {
      results: stored.length,
      bytes: stored.reduce((sum, each) => sum + each.bytes, 0),
    },
    compaction: {
      leftTokens,
      leftRequests: perRequest > 0 ? Math.ceil(leftTokens / perRequest) : undefined,
      messages: messages.length,
      tokens: tokens - keptTokens,
      keptTokens,
    },
  };
}

const NO_HEAD = { model: '', system: [], tools: [], params: {} };

/** Edits by layer, those that were taken back left out. */
function layersOf(
  entries: readonly Entry[],
  { isLive }: ReturnType<typeof logOf>,
  model: string,
): LayerReport[] {
  const byLayer = new Map<string, { -readonly [Name in keyof LayerReport]: LayerReport[Name] }>();
  const attempts = new Set<unknown>();
  let later = 0;
  for (const entry of entries.toReversed()) {
    if (entry.type === 'message' && entry.message.response?.usage) later += 1;
    if (entry.type !== 'edit' || entry.edit.kind === 'undo' || !isLive(entry.id)) continue;
    const { by, reason, receipt, id } = entry;
    const found = byLayer.get(by) ?? {
      ...{ layer: by, edits: 0, reasons: {}, freedTokens: 0, savedDollars: 0 },
    };
    byLayer.set(by, found);
    const { attempt = id } = receipt ?? {};
    if (attempts.has(attempt)) continue; // one act, however many edits
    attempts.add(attempt);
    found.edits += 1;
    found.reasons = { ...found.reasons, [reason]: (found.reasons[reason] ?? 0) + 1 };
    const freed = freedBy(receipt);
    found.freedTokens += freed;
    const unread = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: freed * later };
    found.savedDollars += priceUsage(unread, model).dollars;
  }
  return [...byLayer.values()].sort((one, other) => other.freedTokens - one.freedTokens);
}

function freedBy(receipt: JsonObject | undefined): number {
  const { tokensBefore, tokensAfter } = receipt ?? {};
  return typeof tokensBefore === 'number' && typeof tokensAfter === 'number'
    ? Math.max(0, tokensBefore - tokensAfter)
    : 0;
}
