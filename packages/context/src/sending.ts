import {
  createRequestStamp,
  type Entry,
  isThinking,
  type Message,
  type PlanContext,
  prefixFingerprint,
  type Request,
  type RequestStamp,
  type View,
} from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { fitOutput } from '@varve/tokens';
import { ContextError } from './error.ts';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import { replyMessage } from './messages-of.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions, Reply } from './options.ts';
import type { Answered, createSituation } from './situation.ts';
import { createStaleThinking } from './stale-thinking.ts';

export interface SendingOptions {
  readonly keeper: Keeper;
  readonly situation: ReturnType<typeof createSituation>;
  /** Of the model that the next request goes to. */
  readonly facts: () => ModelFacts;
  readonly now: () => number;
  readonly tell: Tell;
  /**
   * Compacts if it is time, and says whether it did. It comes before the layers: an edit of theirs would cost the summary's
   * request its cached prefix, of a conversation that the summary replaces anyway.
   */
  readonly compact?: ((signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
  /** The log of an earlier run. */
  readonly earlier: Iterable<Entry>;
}

/** Requests and the replies to them. */
export function createSending(options: SendingOptions) {
  const { keeper, situation, facts, now, tell, compact } = options;
  const { layered, meter } = keeper;
  let answered = replay(options);
  const dropStaleThinking = createStaleThinking({ keeper, facts, now, tell });
  let sent: (Answered & { readonly stamp: RequestStamp }) | undefined;

  function planContext(nowMs = now(), view = layered.view()): PlanContext {
    const contextTokens = meter.size().tokens;
    const cachedMessages = keeper.cachedMessages();
    return situation(view, { nowMs, contextTokens, answered, cachedMessages }, facts());
  }

  function edit(nowMs: number): void {
    const at = new Date(nowMs).toISOString();
    const { events } = layered.edit({ plan: (view) => planContext(nowMs, view), at });
    for (const event of events) tell(event);
  }

  return {
    planContext: () => planContext(),

    async request({ signal }: CallOptions): Promise<Request> {
      signal?.throwIfAborted();
      refuseUnsendable(layered.view());
      dropStaleThinking();
      const isCompacted = await compact?.(signal);
      if (!isCompacted) edit(now());
      await keeper.write();
      signal?.throwIfAborted();
      const startedAtMs = now();
      const view = layered.view();
      const { policy, ...bounds } = facts();
      const maxOutputTokens = outputTokens(view, meter.size().tokens, bounds);
      const request = requestOf(view, layered.parkedAt(), { policy, maxOutputTokens });
      const stamp = createRequestStamp(view, startedAtMs);
      sent = { startedAtMs, markers: request.markers, stamp };
      return request;
    },

    async reply(given: Reply): Promise<Message> {
      const id = layered.nextId('message');
      const { id: model, model: info } = facts();
      const { provider, thinking } = info;
      const message = replyMessage(given, { id, model, provider, stamp: sent?.stamp });
      if (sent && thinking === 'prefix-bound') refuseStale(message, sent.stamp, layered.view());
      const [added] = keeper.add([message], { at: new Date(now()).toISOString() });
      answered = sent ?? answered;
      sent = undefined;
      await keeper.write();
      return added as Message;
    },
  };
}

/** Takes over an earlier log, and finds what its last answered request had marked. */
function replay(options: SendingOptions): Answered | undefined {
  const { keeper, earlier, facts } = options;
  const { layered } = keeper;
  let last: { stamp: RequestStamp; view: View; parkedAt: readonly number[] } | undefined;
  for (const entry of earlier) {
    const stamp = entry.type === 'message' ? entry.message.response?.request : undefined;
    if (stamp) last = { stamp, view: layered.view(), parkedAt: layered.parkedAt() };
    keeper.replay(entry);
  }
  if (last === undefined) return undefined;
  const { stamp, view, parkedAt } = last;
  // what came in between was not in the request
  const messages = view.messages.slice(0, stamp.messageCount);
  const markers = view.head ? requestOf({ ...view, messages }, parkedAt, facts()).markers : [];
  return { startedAtMs: stamp.startedAtMs, markers };
}

function requestOf(
  view: View,
  parkedAt: readonly number[],
  { maxOutputTokens, policy }: Pick<ModelFacts, 'maxOutputTokens' | 'policy'>,
): Request {
  const { head, messages, server } = view as View & Required<Pick<View, 'head'>>;
  const request = { head, messages, markers: [], maxOutputTokens, ...(server && { server }) };
  return placeMarkers(request, { policy, parkedAt });
}

/**
 * Older models refuse a prompt and a reply that do not fit the window together. Thinking has to fit the reply; where it
 * does not, the provider refuses the request, and that is recovered from.
 */
function outputTokens(
  { head }: View,
  promptTokens: number,
  {
    maxOutputTokens,
    knownWindowTokens: windowTokens,
  }: Pick<ModelFacts, 'maxOutputTokens' | 'knownWindowTokens'>,
): number {
  const { budget_tokens: budget } = Object(head?.params.thinking) as { budget_tokens?: unknown };
  const minOutputTokens = (typeof budget === 'number' ? budget : 0) + 1;
  const sizes = { promptTokens, windowTokens, minOutputTokens };
  const fit = fitOutput({ ...sizes, requestedTokens: maxOutputTokens });
  return fit.kind === 'prompt-too-large' ? maxOutputTokens : fit.outputTokens;
}

/** Thinking that is bound to a prefix which is gone would have every later request refused. */
function refuseStale({ content }: Pick<Message, 'content'>, stamp: RequestStamp, view: View): void {
  if (!content.some(isThinking)) return;
  if (prefixFingerprint(view, stamp.messageCount) === stamp.fingerprint) return;
  const text = 'The conversation was edited since this request. Make the next one and send that.';
  throw new ContextError('stale-reply', text);
}

function refuseUnsendable({ messages, open }: View): void {
  if (open) {
    const text = `Tool calls wait for their results: ${open.waiting.join(', ')}. Add them with \`results\`, or end them with \`closeRound\`.`;
    throw new ContextError('open-round', text);
  }
  if (messages.findLast(({ role }) => role !== 'system')?.role !== 'user') {
    const text =
      'The conversation does not end with a message for the model to answer. Add one with `user`.';
    throw new ContextError('nothing-to-send', text);
  }
}
