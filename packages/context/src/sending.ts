import {
  createRequestStamp,
  type Entry,
  type Message,
  type Request,
  type RequestStamp,
  type View,
} from '@varve/messages';
import { type CachePolicy, placeMarkers } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { ContextError } from './error.ts';
import type { Keeper } from './keeper.ts';
import type { LayerEvent } from './layer.ts';
import { replyMessage } from './messages-of.ts';
import type { CallOptions, Reply } from './options.ts';
import type { Answered, createSituation } from './situation.ts';

export interface SendingOptions {
  readonly keeper: Keeper;
  readonly situation: ReturnType<typeof createSituation>;
  readonly policy: CachePolicy;
  readonly maxOutputTokens: number;
  /** Id of the model. */
  readonly model: string;
  readonly provider: ModelInfo['provider'];
  readonly now: () => number;
  readonly tell: (event: LayerEvent) => void;
  /** The log of an earlier run. */
  readonly earlier: Iterable<Entry>;
}

/** Requests and the replies to them. */
export function createSending(options: SendingOptions) {
  const { keeper, situation, model, provider, now, tell } = options;
  const { layered, meter } = keeper;
  let answered = replay(options);
  let sent: (Answered & { readonly stamp: RequestStamp }) | undefined;

  function edit(nowMs: number): void {
    const { events } = layered.edit({
      plan: (view) => situation(view, { nowMs, contextTokens: meter.size().tokens, answered }),
      at: new Date(nowMs).toISOString(),
    });
    for (const event of events) tell(event);
  }

  return {
    async request({ signal }: CallOptions): Promise<Request> {
      signal?.throwIfAborted();
      refuseUnsendable(layered.view());
      const startedAtMs = now();
      edit(startedAtMs);
      await keeper.write();
      signal?.throwIfAborted();
      const view = layered.view();
      const request = requestOf(view, layered.parkedAt(), options);
      const stamp = createRequestStamp(view, startedAtMs);
      sent = { startedAtMs, markers: request.markers, stamp };
      return request;
    },

    async reply(given: Reply): Promise<Message> {
      const id = layered.nextId('message');
      const message = replyMessage(given, { id, model, provider, stamp: sent?.stamp });
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
  const { keeper, earlier } = options;
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
  const markers = view.head ? requestOf({ ...view, messages }, parkedAt, options).markers : [];
  return { startedAtMs: stamp.startedAtMs, markers };
}

function requestOf(
  view: View,
  parkedAt: readonly number[],
  { maxOutputTokens, policy }: Pick<SendingOptions, 'maxOutputTokens' | 'policy'>,
): Request {
  const { head, messages, server } = view as View & Required<Pick<View, 'head'>>;
  const request = { head, messages, markers: [], maxOutputTokens, ...(server && { server }) };
  return placeMarkers(request, { policy, parkedAt });
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
