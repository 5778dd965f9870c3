import {
  type Entry,
  type Head,
  type Message,
  promptTokens,
  type Request,
  type RequestStamp,
  type View,
} from '@varve/messages';
import { stampHolds } from '@varve/messages/stamps';
import {
  type BreakDetector,
  type CacheBreak,
  createBreakDetector,
  PromptCacheError,
} from '@varve/prompt-cache';
import { createBillSplit, type SplitBill } from '@varve/prompt-cache/server';
import type { ModelInfo } from '@varve/tokens';
import type { Tell } from './event.ts';
import { changedParts, type HeadPart } from './head.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';

type BreakMeasures = ReturnType<BreakDetector['measures']>;
type BreakObservation = ReturnType<BreakDetector['observe']>;

/** The last request that was answered, as it was sent, and the answer. */
export interface AnsweredRequest {
  readonly request: Request;
  readonly startedAtMs: number;
  readonly reply: Message;
}

/** Watches billed replies for cached tokens that were not read, and knows which of them were to be expected. */
export interface CacheWatch {
  /** Takes the next entry and the view after it, before any layer has seen it. */
  observe(entry: Entry, view: View): void;
  /** The request that the next entry answers, where it is at hand; else it is made again from the log. */
  answering(request: Request): void;
  /** Reads a request that was sent, so that the bill of its answer is looked at faster. */
  readSent(request: Request): void;
  answered(): AnsweredRequest | undefined;
  /** Lifetime of the markers before the end of the prompt in a request that starts now. */
  stableTtl(startedAtMs: number): MarkerTtl;
  /** The head with an id, as the log has it. */
  headOf(id: string): Head | undefined;
  measures(): BreakMeasures;
  /** What the bill of the last answer said was lost, by cause; empty where nothing was. */
  lastBreaks(): readonly CacheBreak[];
  /** What replies were billed, by what their prompts were made of. */
  bill(): SplitBill;
}

/** Of the markers before the end of the prompt, where they outlive it. */
export type MarkerTtl = ContextOptions['stableTtl'];

export interface CacheWatchOptions {
  readonly factsOf: (model: string) => ModelFacts;
  /** The request that a view of the log makes, with markers of this lifetime. */
  readonly requestOf: (view: View, facts: ModelFacts, stableTtl: MarkerTtl) => Request;
  /** What `stableTtl` gives once the session has paused for longer than the cache keeps anything. */
  readonly stableTtl: MarkerTtl;
  /** Entries of one's own; they win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
  readonly tell: Tell;
  /** False while an earlier log is read: what it shows was told when it happened. */
  readonly isLive: () => boolean;
}

/**
 * Creates the watch of one conversation. A provider caches each model apart, so each has a detector; an edit is announced to
 * all of them, since all of them will find the other bytes.
 */
export function createCacheWatch({
  factsOf,
  requestOf,
  stableTtl: ttlAfterPause,
  models,
  tell,
  isLive,
}: CacheWatchOptions): CacheWatch {
  const heads = new Map<string, Head>();
  const detectors = new Map<string, BreakDetector>();
  const split = createBillSplit({ models });
  /** Bills that are not split yet: what they were for is asked for seldom, and summed while a model answers. */
  const unsplit: Parameters<typeof split.add>[0][] = [];
  let switches = 0;
  let lastBreaks: readonly CacheBreak[] = [];
  let head: Head | undefined;
  let pending: Request | undefined;
  let last: (AnsweredRequest & { readonly promptTokens: number }) | undefined;
  let hasPaused = false;
  /** When the last answered request started, and its model: known also where the request cannot be made again. */
  let started: { readonly ms: number; readonly model: string } | undefined;
  /** The views that edits ended since the last reply: what it answers may have carried one of them. */
  let earlier: View[] = [];
  let latest: View | undefined;

  function expect(reason: string): void {
    for (const detector of detectors.values()) detector.expect(reason);
  }

  function takeHead(next: Head): void {
    const [part] = head ? changedParts(head, next) : [];
    head = next;
    heads.set(next.id, next);
    if (part === undefined || last === undefined) return;
    if (part !== 'model') expect(REASONS[part]);
    if (isLive()) tell({ layer: 'prompt-cache', kind: 'break-announced', reason: REASONS[part] });
  }

  /** A longer lifetime is dearer to write: it begins with the request that writes everything again, because of a pause. */
  function stableTtl(startedAtMs: number): MarkerTtl {
    return hasPaused || isPause(startedAtMs) ? ttlAfterPause : undefined;
  }

  function isPause(startedAtMs: number): boolean {
    if (started === undefined) return false;
    const { ms, graceMs } = factsOf(started.model).policy.lifetimes.short;
    return ms !== null && startedAtMs - started.ms > ms + graceMs;
  }

  function takeReply(reply: Message, stamp: RequestStamp, view: View): void {
    const { startedAtMs } = stamp;
    hasPaused ||= isPause(startedAtMs);
    const asked = heads.get(stamp.headId) ?? head;
    const sent = pending ?? (asked && rebuilt(asked, stamp, [view, ...earlier]));
    pending = undefined;
    if (asked) started = { ms: startedAtMs, model: asked.model };
    if (sent === undefined) return;
    const before = last;
    const { usage } = reply.response ?? {};
    const prompt = usage ? promptTokens(usage) : (before?.promptTokens ?? 0);
    last = { request: sent, startedAtMs, reply, promptTokens: prompt };
    lastBreaks = [];
    if (usage) observeUsage({ request: sent, usage, startMs: startedAtMs }, before);
  }

  function observeUsage(sent: Parameters<BreakDetector['observe']>[0], before: typeof last): void {
    const { model } = sent.request.head as Head;
    const known = detectors.get(model);
    const { policy, estimator: sizeOf } = factsOf(model);
    const detector = known ?? createBreakDetector({ policy, sizeOf });
    detectors.set(model, detector);
    try {
      const seen = detector.observe(sent);
      const observation = known || !before ? seen : asSwitch(seen, before.promptTokens);
      unsplit.push({ ...sent, observation, sizeOf });
      if (!isLive()) splitBills(); // of a long log they would all wait
      lastBreaks = observation.kind === 'no-drop' ? [] : observation.breaks;
      if (observation.kind !== 'no-drop') tellBreak(model, observation);
    } catch (cause) {
      if (!PromptCacheError.is(cause)) throw cause;
      // a clock that ran backwards, or markers that a caller's policy does not allow: the bill is not looked at
      const failed = { kind: 'failed', reason: 'bill-unreadable', cause } as const;
      if (isLive()) tell({ layer: 'prompt-cache', ...failed });
    }
  }

  function splitBills(): void {
    for (let bill = unsplit.shift(); bill !== undefined; bill = unsplit.shift()) split.add(bill);
  }

  function tellBreak(model: string, seen: Exclude<BreakObservation, { kind: 'no-drop' }>): void {
    if (!isLive()) return;
    const { kind, readTokens, expectedReadTokens, breaks } = seen;
    const facts = { model, readTokens, expectedReadTokens, breaks };
    if (kind === 'alarm') tell({ layer: 'prompt-cache', kind: 'unexpected-break', ...facts });
    else tell({ layer: 'prompt-cache', kind: 'expected-break', reason: seen.reason, ...facts });
  }

  /** A model that was never asked before has nothing cached: what the one before it had is read by nobody. */
  function asSwitch(seen: BreakObservation, cachedTokens: number): BreakObservation {
    const { readTokens } = seen;
    if (readTokens >= cachedTokens) return { ...seen, kind: 'no-drop' };
    switches += 1;
    const breaks = [{ cause: 'model-changed', lostTokens: cachedTokens - readTokens }] as const;
    const figures = { readTokens, expectedReadTokens: cachedTokens, breaks };
    return { kind: 'expected', reason: REASONS.model, ...figures };
  }

  return {
    observe(entry, view) {
      if (entry.type === 'head') takeHead(entry.head);
      const before = latest;
      latest = view;
      if (entry.type === 'edit') {
        if (before) earlier.push(before);
        const count = last?.request.messages.length ?? 0;
        if (view.changedFrom < count || entry.edit.kind === 'server') expect(reasonOf(entry.by));
      }
      if (entry.type !== 'message' || entry.message.role !== 'assistant') return;
      const stamp = entry.message.response?.request;
      if (stamp) takeReply(entry.message, stamp, view);
      earlier = [];
    },
    answering(request) {
      pending = request;
    },
    readSent(request) {
      splitBills();
      detectors.get(request.head.model)?.read(request);
    },
    answered: () => last,
    stableTtl,
    headOf: (id) => heads.get(id),
    bill() {
      splitBills();
      return split.get();
    },
    lastBreaks: () => lastBreaks,
    measures: () =>
      sumMeasures(
        [...detectors.values()].map((each) => each.measures()),
        switches,
      ),
  };

  /** What the log says was sent; undefined where no view of it is the one that the request carried. */
  function rebuilt(asked: Head, stamp: RequestStamp, views: readonly View[]): Request | undefined {
    const ttl = stableTtl(stamp.startedAtMs);
    for (const view of views) {
      const messages = view.messages.slice(0, stamp.messageCount);
      const sent = { ...view, head: asked, messages };
      if (stampHolds(sent, stamp)) return requestOf(sent, factsOf(asked.model), ttl);
    }
    return undefined;
  }
}

/** Why the next reply may read less, by the part of the head that is another. */
const REASONS: { readonly [part in HeadPart]: string } = {
  model: 'model-switch',
  tools: 'tools-changed',
  system: 'system-changed',
  params: 'params-changed',
};

/** An edit is announced under the name of its layer, the usual ones by what they do. */
const reasonOf = (layer: string): string => EDIT_REASONS[layer] ?? layer;

const EDIT_REASONS: { readonly [layer: string]: string | undefined } = {
  compact: 'compaction',
  microcompact: 'clearing',
};

function sumMeasures(all: readonly BreakMeasures[], switches: number): BreakMeasures {
  const sum = (of: (measures: BreakMeasures) => number) =>
    all.reduce((total, measures) => total + of(measures), 0);
  const [prompt, read] = [sum((it) => it.promptTokens), sum((it) => it.readTokens)];
  const expected = counts(all.map((it) => it.expected));
  return {
    requests: sum((it) => it.requests),
    promptTokens: prompt,
    readTokens: read,
    hitShare: prompt > 0 ? read / prompt : 0,
    expected: switches > 0 ? { ...expected, [REASONS.model]: switches } : expected,
    alarms: counts(all.map((it) => it.alarms)),
    lostTokens: sum((it) => it.lostTokens),
    falseAlarms: sum((it) => it.falseAlarms),
  };
}

function counts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const each of all) {
    for (const [name, count] of Object.entries(each)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}
