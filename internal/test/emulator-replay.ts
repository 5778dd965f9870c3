import { createEmulator } from '@varve/emulator';
import { createProjection, promptTokens, type Request, type Usage } from '@varve/messages';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import type { ImportedThread } from '@varve/transcript/import';

export interface ReplayedSession {
  readonly accepted: number;
  readonly refused: readonly string[];
  /** Read tokens as a share of prompt tokens: as the emulator says, and as was billed for the same requests. */
  readonly emulated: number;
  readonly billed: number;
}

interface Recorded {
  readonly request: Request;
  readonly usage: Usage;
  readonly startMs: number;
}

/**
 * Sends what a recorded session sent to the emulator, under the recorded clock. The files hold no system prompt, so a
 * text as long as the first bill says stands for it.
 */
export async function replaySession(
  thread: ImportedThread,
  fallback: string,
): Promise<ReplayedSession> {
  const recorded = recordedRequests(thread);
  const id = mostUsed(recorded.map(({ request }) => request.head.model)) ?? fallback;
  const model = findModel(id) ?? findModel(fallback);
  if (!model) throw new Error(`no model ${fallback}`);
  const policy = cachePolicy(model, { ttl: lifetimeOf(recorded) });
  const sizeOf = createEstimator({ family: policy.tokenizer });
  const head = standInHead(recorded, sizeOf);
  let now = 0;
  const emulator = createEmulator({ now: () => now, foreignThinking: 'accepted', keepRequests: 0 });
  const sums = { accepted: 0, read: 0, total: 0 };
  const refused: string[] = [];
  for (const { request, usage, startMs } of recorded) {
    now = Number.isFinite(startMs) ? Math.max(now, startMs) : now + 1_000;
    const sent = { ...request, head: { ...head, model: model.id } };
    const ttl = lifetimeOf(recorded);
    const body = toBody(placeMarkers(sent, { policy, ttl }));
    const reply = await emulator.handle({
      method: 'POST',
      path: '/v1/messages',
      headers: HEADERS,
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    if (reply.status !== 200) {
      refused.push(JSON.parse(reply.body).error.message as string);
      continue;
    }
    sums.accepted += 1;
    sums.read += usage.cache_read_input_tokens ?? 0;
    sums.total += promptTokens(usage);
  }
  const { hitRate = 0 } = emulator.report();
  return { accepted: sums.accepted, refused, emulated: hitRate, billed: sums.read / sums.total };
}

const HEADERS = { 'x-api-key': 'replay', 'anthropic-version': '2026-10-21' };

function recordedRequests({ entries }: ImportedThread): Recorded[] {
  const projection = createProjection();
  const found: Recorded[] = [];
  const seen = new Set<string>();
  let view: ReturnType<typeof projection.append> | undefined;
  for (const entry of entries) {
    const message = entry.type === 'message' ? entry.message : undefined;
    const { response } = message ?? {};
    const isNew = response?.usage && !seen.has(response.id) && promptTokens(response.usage) > 0;
    if (view?.head && isNew && response?.usage && view.messages.length > 0 && !view.open) {
      const { head, messages } = view;
      const named = { ...head, model: response.model };
      const request = { head: named, messages, markers: [], maxOutputTokens: 1_000 };
      found.push({ request, usage: response.usage, startMs: Date.parse(entry.at) });
    }
    if (response) seen.add(response.id);
    view = projection.append(entry);
  }
  return found;
}

function mostUsed(models: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

function lifetimeOf(recorded: readonly Recorded[]): '5m' | '1h' {
  const written = (name: 'ephemeral_1h_input_tokens' | 'ephemeral_5m_input_tokens') =>
    recorded.reduce((sum, { usage }) => sum + (usage.cache_creation?.[name] ?? 0), 0);
  return written('ephemeral_1h_input_tokens') > written('ephemeral_5m_input_tokens') ? '1h' : '5m';
}

type SizeOf = ReturnType<typeof createEstimator>;

function standInHead(recorded: readonly Recorded[], sizeOf: SizeOf): Request['head'] {
  const [first] = recorded;
  const messages =
    first?.request.messages.reduce((sum, each) => sum + sizeOf.message(each), 0) ?? 0;
  const wanted = Math.max(0, (first ? promptTokens(first.usage) : 0) - messages);
  const perWord = sizeOf.text('word '.repeat(1_000)) / 1_000;
  const text = 'word '.repeat(Math.max(1, Math.round(wanted / perWord)));
  return { id: 'stand-in', model: '', system: [{ type: 'text', text }], tools: [], params: {} };
}

function toBody({ head, messages, markers, maxOutputTokens }: Request) {
  const control = (found: Request['markers'][number] | undefined) =>
    found && { cache_control: { type: 'ephemeral', ...(found.ttl && { ttl: found.ttl }) } };
  const system = head.system.map((block) => ({
    ...block,
    ...control(markers.find(({ at }) => at === 'system')),
  }));
  return {
    model: head.model,
    max_tokens: maxOutputTokens,
    system,
    messages: messages.map(({ role, content }, messageIndex) => ({
      role,
      content: content.map((block, blockIndex) => ({
        ...block,
        ...control(
          markers.find(
            (marker) =>
              marker.at === 'message' &&
              marker.messageIndex === messageIndex &&
              marker.blockIndex === blockIndex,
          ),
        ),
      })),
    })),
  };
}
