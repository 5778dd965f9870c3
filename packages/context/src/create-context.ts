import {
  type Block,
  closeRound,
  createRequestStamp,
  type Entry,
  type Message,
  type Request,
  type View,
} from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { type ContextSize, resolveModel } from '@varve/tokens';
import { defaultLayers } from './default-layers.ts';
import { ContextError } from './error.ts';
import { bringHead } from './head.ts';
import { createKeeper } from './keeper.ts';
import { replyMessage, resultMessage, userMessage, waitingTools } from './messages-of.ts';
import { createOffloading } from './offloading.ts';
import type { ContextOptions, Reply, ToolOutput } from './options.ts';
import { createQueue } from './queue.ts';
import { createSituation, lastAnswered, policyOf, type SentRequest } from './situation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A conversation and the layers around it. Calls take effect in the order in which they are made. */
export interface Context {
  /** Adds what a person said; a huge text is stored and shown by its preview, where there is a storage. */
  user(content: string | readonly Block[], options?: CallOptions): Promise<Message>;
  /**
   * The next request: the layers have run, and their edits are in the log. One that is never answered leaves the messages as
   * they were; the edits stay, since the provider may have cached them. Throws `open-round` and `nothing-to-send`.
   */
  request(options?: CallOptions): Promise<Request>;
  /** Adds the answer to the last request. Throws `empty-reply`. */
  reply(reply: Reply): Promise<Message>;
  /** Adds what tools gave, of one round or of a part of it; large outputs are stored. Throws `unknown-call`. */
  results(outputs: readonly ToolOutput[], options?: CallOptions): Promise<void>;
  /** `request`, the option `call`, and `reply`. Rejects as `call` does; the messages are then as they were. */
  send(options?: CallOptions): Promise<Message>;
  /** Closes calls that will get no result with one that says why, e.g. `aborted`. */
  closeRound(reason: string): Promise<void>;
  /** Prompt tokens of the next request. */
  size(): ContextSize;
  view(): View;
  /** Everything since the beginning, in order: `entries` of another context goes on from here, or another way. */
  entries(): readonly Entry[];
}

/** Starts a conversation, or goes on with one. Throws a `MessagesError` for entries that are no log. */
export function createContext(options: ContextOptions): Context {
  const { call, storage, onEvent, now = Date.now, models } = options;
  const { model } = resolveModel(options.model, { models });
  const { policy = policyOf(model), maxOutputTokens = model.maxOutputTokens ?? 32_000 } = options;
  const keeper = createKeeper({ ...options, layers: options.layers ?? defaultLayers(model) });
  const { layered } = keeper;
  const offloading = createOffloading(storage);
  const situation = createSituation({ model, models, policy });
  const inOrder = createQueue();
  const at = (): string => new Date(now()).toISOString();
  const place = () => ({ id: keeper.nextId('message'), at: at() });
  let last = lastAnswered(layered.view());
  let unanswered: SentRequest | undefined;
  bringHead(keeper, { options, at: at() });

  function add(message: Message): Message {
    keeper.append({ type: 'message', message }, message.createdAt ?? at());
    return message;
  }

  function noteDecisions(): void {
    const data = storage?.takeNote();
    if (data !== undefined) keeper.append({ type: 'note', by: 'tool-storage', data }, at());
  }

  async function user(content: string | readonly Block[], { signal }: CallOptions) {
    signal?.throwIfAborted();
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const message = userMessage(blocks, place());
    const shown = await offloading.ofPerson(message.content, message.id, signal);
    noteDecisions();
    const added = add({ ...message, content: shown });
    await keeper.write();
    return added;
  }

  async function request({ signal }: CallOptions): Promise<Request> {
    signal?.throwIfAborted();
    refuseUnsendable(layered.view());
    const startedAtMs = now();
    const { events } = layered.edit({
      plan: (view) =>
        situation(view, { nowMs: startedAtMs, contextTokens: keeper.meter.size().tokens, last }),
      at: new Date(startedAtMs).toISOString(),
    });
    for (const event of events) tell(onEvent, event);
    await keeper.write();
    const view = layered.view();
    const { head, messages, server } = view as View & Required<Pick<View, 'head'>>;
    const bare = { head, messages, markers: [], maxOutputTokens, ...(server && { server }) };
    const sent = placeMarkers(bare, { policy, parkedAt: layered.parkedAt() });
    last = { request: sent, startedAtMs, stamp: createRequestStamp(view, startedAtMs) };
    unanswered = last;
    return sent;
  }

  async function reply(given: Reply): Promise<Message> {
    const added = add(
      replyMessage(given, { ...place(), model: model.id, stamp: unanswered?.stamp }),
    );
    unanswered = undefined;
    await keeper.write();
    return added;
  }

  async function results(outputs: readonly ToolOutput[], { signal }: CallOptions): Promise<void> {
    signal?.throwIfAborted();
    const names = waitingTools(layered.view().open, outputs);
    const shown = await offloading.ofTools(outputs, names, signal);
    noteDecisions();
    for (const output of shown) add(resultMessage(output, place()));
    await keeper.write();
  }

  return {
    user: (content, call = {}) => inOrder(() => user(content, call)),
    request: (call = {}) => inOrder(() => request(call)),
    reply: (given) => inOrder(() => reply(given)),
    results: (outputs, call = {}) => inOrder(() => results(outputs, call)),
    send: (options = {}) =>
      inOrder(async () => {
        if (call === undefined) throw noCall();
        return reply(await call(await request(options), options));
      }),
    closeRound: (reason) =>
      inOrder(async () => {
        const { open } = layered.view();
        if (open) for (const message of closeRound(open, { reason, at: at() })) add(message);
        await keeper.write();
      }),
    size: () => keeper.meter.size(),
    view: layered.view,
    entries: () => [...keeper.entries],
  };
}

function refuseUnsendable({ messages, open }: View): void {
  if (open) {
    const text = `Tool calls wait for their results: ${open.waiting.join(', ')}. Add them with \`results\`, or end them with \`closeRound\`.`;
    throw new ContextError('open-round', text);
  }
  if (messages.at(-1)?.role !== 'user') {
    const text =
      'The conversation does not end with a message for the model to answer. Add one with `user`.';
    throw new ContextError('nothing-to-send', text);
  }
}

const noCall = (): ContextError =>
  new ContextError('no-call', 'Pass `call` to `createContext`, or use `request` and `reply`.');

/** A listener that throws is its own affair. */
function tell<Event>(listen: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listen?.(event);
  } catch {}
}
