import type { Block, Entry, Message, Request, View } from '@varve/messages';
import { type ContextSize, resolveModel } from '@varve/tokens';
import { createAdding } from './adding.ts';
import { defaultLayers } from './default-layers.ts';
import { ContextError } from './error.ts';
import { bringHead } from './head.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import type { LayerEvent } from './layer.ts';
import type { CallOptions, ContextOptions, Reply, ToolOutput } from './options.ts';
import { createQueue } from './queue.ts';
import { createSending } from './sending.ts';
import { createSituation, policyOf } from './situation.ts';

/**
 * A conversation and the layers around it. Calls take effect in the order in which they are made, each wholly or not at
 * all. With a log, every call but `size`, `view` and `entries` throws `not-written` where the log refuses.
 */
export interface Context {
  /**
   * Adds what a person said; a huge text is stored and shown by its preview, where there is a storage. Throws
   * `empty-message`.
   */
  user(content: string | readonly Block[], options?: CallOptions): Promise<Message>;
  /**
   * The next request: the layers have run, and their edits are in the log. One that is never answered leaves the messages as
   * they were; the edits stay, since the provider may have cached them. Throws `open-round` and `nothing-to-send`.
   */
  request(options?: CallOptions): Promise<Request>;
  /** Adds the answer to the last request. Throws `empty-reply` and `malformed-reply`. */
  reply(reply: Reply): Promise<Message>;
  /** Adds what tools gave, of one round or of a part of it; large outputs are stored. Throws `unknown-call`. */
  results(outputs: readonly ToolOutput[], options?: CallOptions): Promise<readonly Message[]>;
  /** `request`, the option `call`, and `reply`. Rejects as `call` does; the messages are then as they were. */
  send(options?: CallOptions): Promise<Message>;
  /** Closes calls that will get no result with one that says why, e.g. `aborted`. */
  closeRound(reason: string): Promise<readonly Message[]>;
  /** Tries again to write what the log refused. */
  flush(): Promise<void>;
  /** Prompt tokens of the next request. */
  size(): ContextSize;
  view(): View;
  /** Everything since the beginning, in order: `entries` of another context goes on from here, or another way. */
  entries(): readonly Entry[];
}

/** Starts a conversation, or goes on with one. Throws a `MessagesError` for entries that are no log. */
export function createContext(options: ContextOptions): Context {
  const { call } = options;
  const { keeper, adding, sending } = createParts(options);
  const inOrder = createQueue();
  const { user, results, closeRound } = adding;
  const { request, reply } = sending;
  return {
    user: (content, given = {}) => inOrder(() => user(content, given)),
    request: (given = {}) => inOrder(() => request(given)),
    reply: (given) => inOrder(() => reply(given)),
    results: (outputs, given = {}) => inOrder(() => results(outputs, given)),
    send: (given = {}) =>
      inOrder(async () => {
        if (call === undefined) throw noCall();
        return reply(await call(await request(given), given));
      }),
    closeRound: (reason) => inOrder(() => closeRound(reason)),
    flush: () => inOrder(keeper.write),
    size: () => keeper.meter.size(),
    view: keeper.layered.view,
    entries: () => [...keeper.entries],
  };
}

function createParts(options: ContextOptions) {
  const { model: id, storage, models, now = Date.now, entries: earlier = [] } = options;
  const { model } = resolveModel(id, { models });
  const { maxOutputTokens = model.maxOutputTokens ?? OUTPUT_TOKENS } = options;
  const { policy = policyOf(model), layers = defaultLayers(model, { storage }) } = options;
  const keeper: Keeper = createKeeper({ ...options, layers });
  const at = () => new Date(now()).toISOString();
  const tell = (event: LayerEvent) => tellSafely(options.onEvent, event);
  const situation = createSituation({ id, model, models, policy, maxOutputTokens });
  const limits = { policy, maxOutputTokens, model: id, provider: model.provider };
  const sending = createSending({ keeper, situation, ...limits, now, tell, earlier });
  bringHead(keeper, { options, at: at() });
  return { keeper, sending, adding: createAdding({ keeper, storage, at, tell }) };
}

/** Asked for where nobody knows what a model can reply, in tokens. */
const OUTPUT_TOKENS = 32_000;

const noCall = (): ContextError =>
  new ContextError('no-call', 'Pass `call` to `createContext`, or use `request` and `reply`.');

function tellSafely<Event>(listen: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listen?.(event);
  } catch {
    // a listener that throws is its own affair
  }
}
