import type { Head, Message, Request } from '@varve/messages';
import { type CacheResult, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import type { Estimator } from '@varve/tokens';
import type { ImportedSession } from '@varve/transcript/import';
import type { HeadFloor } from './head-floor.ts';
import type { ProviderRules } from './provider-rules.ts';
import { isClockTrusted } from './recorded-clock.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { createStandInHead } from './stand-in-head.ts';
import { createOldReasoning } from './without-old-reasoning.ts';

type SessionFormat = ImportedSession['format'];

export interface CacheReplayOptions {
  readonly estimator: Estimator;
  readonly format: SessionFormat;
  readonly rules: ProviderRules;
  readonly floor: HeadFloor;
}

// Where the clock says nothing, the cache is taken as warm.
const UNTRUSTED_STEP_MS = 1_000;

interface Sent {
  readonly request: Request;
  readonly billed: { readonly promptTokens: number; readonly cachedTokens?: number };
  readonly cachedTokens: number;
  readonly startMs: number;
}

/** Sends the recorded requests to a simulated cache, each as large as it was billed. */
export function createCacheReplay(
  requests: readonly RecordedRequest[],
  { estimator, format, rules, floor }: CacheReplayOptions,
) {
  const { policy } = rules;
  const simulator = createCacheSimulator(policy, { sizeOf: estimator });
  const heads = createStandInHead(requests, { format, rules });
  const reasoning = createOldReasoning();
  const reportsWrites = requests.some(({ billed }) => billed.write5m + billed.write1h > 0);
  const isTrusted = isClockTrusted(requests);
  let ttl: '5m' | '1h' = policy.defaultTtl;
  let last: Sent | undefined;
  let startMs = 0;

  const startOf = (request: RecordedRequest) => {
    const next = isTrusted && !Number.isNaN(request.startMs) ? request.startMs : Number.NaN;
    return Number.isNaN(next) ? startMs + UNTRUSTED_STEP_MS : next;
  };

  const keepHeadWarm = (head: Head) => {
    const messages: Message[] = [{ id: 'other', role: 'user', content: [OTHER_TEXT] }];
    const request = {
      head,
      messages,
      markers: [{ at: 'system', ttl } as const],
      maxOutputTokens: 1,
    };
    const headTokens = floor.tokens();
    const billed = { headTokens, cachedTokens: headTokens, promptTokens: headTokens + 1 };
    simulator.send(request, { startMs: startMs - 1, thread: 'another session', billed });
  };

  return {
    /** Something read the prefix as it was. */
    side(atMs: number) {
      if (!last || !isTrusted) return;
      simulator.send(last.request, { startMs: atMs, billed: last.billed });
    },
    request(recorded: RecordedRequest) {
      startMs = startOf(recorded);
      const { billed, view, firstTokenMs } = recorded;
      if (endsReasoning(recorded, { format, rules })) reasoning.turnStarts(view.messages);
      const head = heads.next(recorded);
      if (floor.isKeptWarm()) keepHeadWarm(head);
      const messages = reasoning.without(view.messages);
      const request = placeMarkers(
        { head, messages, markers: [], maxOutputTokens: 1 },
        { policy, ttl },
      );
      const cachedTokens = reportsWrites
        ? billed.read + billed.write5m + billed.write1h
        : billed.total;
      const sizes = { promptTokens: billed.total, ...(reportsWrites && { cachedTokens }) };
      const result: CacheResult = simulator.send(request, {
        startMs,
        firstTokenMs: isTrusted ? Math.max(startMs, firstTokenMs) : startMs,
        billed: { ...sizes, headTokens: Math.min(floor.tokens(), billed.total) },
      });
      const reusableTokens = Math.min(last?.cachedTokens ?? 0, billed.total);
      const ruleTokens = Math.min(result.tokens.read, billed.total);
      if (billed.write1h + billed.write5m > 0) ttl = billed.write1h > billed.write5m ? '1h' : '5m';
      last = { request, billed: sizes, cachedTokens, startMs };
      return { ruleTokens, reusableTokens, result };
    },
  };
}

const OTHER_TEXT = { type: 'text', text: 'what another session asks' } as const;

/** OpenAI drops the reasoning of a turn when the next begins: Codex says when, elsewhere a person's message does. */
function endsReasoning(
  { since, model }: RecordedRequest,
  { format, rules }: { readonly format: SessionFormat; readonly rules: ProviderRules },
): boolean {
  if (rules.policy.provider !== 'openai' || !/gpt|codex|^o\d/.test(model)) return false;
  const says = since.signals.some(({ kind }) => kind === 'turn-start');
  return format === 'codex' ? says : since.isUserTurn;
}
