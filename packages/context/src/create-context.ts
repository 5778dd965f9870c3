import type {
  Block,
  Edit,
  Entry,
  Head,
  Json,
  Message,
  PlanContext,
  Request,
  View,
} from '@varve/messages';
import type { TokenMeter } from '@varve/tokens';
import { type AppliedLayer, applyLayer } from './apply-layer.ts';
import { checkBill, checkCall, checkOptions } from './check-options.ts';
import type { CompactionOutcome, CompactNowOptions } from './compaction/context-compaction.ts';
import { createParts } from './create-parts.ts';
import type { EditOptions, EditOutcome, UndoOptions } from './editing.ts';
import type { HeadChange } from './head.ts';
import type { Layer } from './layer.ts';
import { changeWithRules } from './memory.ts';
import type { CallOptions, ContextOptions, Reply, ToolOutput, UserOptions } from './options.ts';
import { createQueue } from './queue.ts';
import { createRoundTrip } from './round-trip.ts';
import type { SentRequest } from './sending.ts';
import type { AddedUsage, ContextUsage } from './usage.ts';

/**
 * A conversation and the layers around it. Calls take effect in the order in which they are made, each wholly or not at
 * all. So what a call runs, be it `call`, a summary, a hook or a store, must not await another call of the same context,
 * which waits for it in turn (only a hook has a timeout); `note` it may, but for the log. With a log, every call but `size`,
 * `view` and `entries` throws `not-written` where the log refuses.
 */
export interface Context {
  /**
   * Adds what a person said, or with an `origin` what the agent puts in; a huge text is stored and shown by its preview,
   * where there is a storage. Throws `empty-message`, `malformed-message`, and `message-too-large` where no request could hold it.
   */
  user(content: string | readonly Block[], options?: UserOptions): Promise<Message>;
  /**
   * The next request: the conversation is compacted if it was time, or else the layers have run, and the edits are in the
   * log. One that is never answered leaves the messages as they were; the edits stay, since the provider may have cached them.
   * Throws `open-round`, `nothing-to-send`, and `message-too-large` for one that is larger than the window of its model whatever
   * was done: `recover` takes that error, too.
   */
  request(options?: CallOptions): Promise<Request>;
  /**
   * Adds the answer to the last request; calls whose ids or inputs could not be sent back are made good. Throws
   * `open-round`, `nothing-to-send` where nothing waits for an answer, `empty-reply`, `malformed-reply` and `stale-reply`.
   */
  reply(reply: Reply): Promise<Message>;
  /** Adds what tools gave, of one round or of a part of it; large outputs are stored. Throws `unknown-call` and `malformed-result`. */
  results(outputs: readonly ToolOutput[], options?: CallOptions): Promise<readonly Message[]>;
  /**
   * `request`, the option `call`, and `reply`. A request that is refused as too long is made smaller and sent again, with the
   * option `compaction`. Rejects as `call` does, or at once where the signal is aborted; the messages are then as they
   * were, or compacted.
   */
  send(options?: CallOptions): Promise<Message>;
  /**
   * Compacts now, whatever the size. A failure is an outcome, and the conversation is then as it was. Throws
   * `no-compaction`.
   */
  compact(options?: CompactNowOptions): Promise<CompactionOutcome>;
  /**
   * Makes the next request smaller after one was refused with this error; true where it is worth sending. For a model call
   * of one's own: `send` does it by itself. False without the option `compaction`.
   */
  recover(error: unknown, options?: CallOptions): Promise<boolean>;
  /**
   * Goes on with another model, other tools, parameters or another system prompt; what is left out stays. Thinking that is
   * bound to the old head goes before the next request, and the cache break is announced. It outlives a restart with the
   * same options. Throws a `TypeError` for what no provider takes, such as two tools of one name.
   */
  setHead(change: HeadChange, options?: CallOptions): Promise<Head>;
  /**
   * Edits the log by hand: rewinds, snips, replaces. All edits or none: throws `edit-refused`, with the `MessagesError` as its
   * `cause`, for what may not stand in the log, or after which a provider of the model would refuse the conversation. It is
   * tried on a copy first, which reads the whole log.
   */
  edit(edits: readonly Edit[], options: EditOptions): Promise<EditOutcome>;
  /**
   * Runs a layer by hand, once, whether it is one of the options or not: it is shown the whole log, does its work, and its edits are in
   * force. What it throws is thrown, and the messages are as they were.
   */
  apply(layer: Layer, options?: CallOptions): Promise<AppliedLayer>;
  /** Takes an edit back, whoever made it, by the id of its entry. Throws `edit-refused`. */
  undo(entryId: string, options?: UndoOptions): Promise<EditOutcome>;
  /** Closes calls that will get no result with one that says why, e.g. `aborted`. Throws a `TypeError` for a blank reason. */
  closeRound(reason: string): Promise<readonly Message[]>;
  /**
   * Adds a note, which no model sees: the checkpoints of session notes, or what a fold of one's own needs. It waits for no
   * other call.
   */
  note(note: { readonly by: string; readonly data: Json }): Promise<void>;
  /** Adds a bill that no reply brings, e.g. of a fork, to `usage`. It waits for no other call. */
  addUsage(bill: AddedUsage): Promise<void>;
  /**
   * Ends a session: memory looks through what is left of it, and what runs is waited for, as long as `extraction.timeoutMs` at most.
   * Where the signal is aborted, nobody waits: memory writes nothing of what is left, and comes to it another time. The conversation
   * stays as it is and can be gone on with.
   */
  close(options?: CallOptions): Promise<void>;
  /** Tries again to write what the log refused. */
  flush(): Promise<void>;
  /** Prompt tokens of the next request. */
  size(): ReturnType<TokenMeter['size']>;
  /** What a conversation can fill, and from where on it is compacted, in tokens, with the model of the next request. */
  limits(): PlanContext['limits'];
  view(): View;
  /**
   * The last request, as it was sent, and its reply: what a fork begins with. After a restart the last one that was answered;
   * undefined where there was none.
   */
  lastRequest(): SentRequest | undefined;
  /** What all calls were billed, by model and by caller, and how the cache did. */
  usage(): ContextUsage;
  /** Everything since the beginning, in order: `entries` of another context goes on from here, or another way. */
  entries(): readonly Entry[];
}

/**
 * Starts a conversation, or goes on with one. Throws a `MessagesError` for entries that are no log, and a `TypeError` or
 * `RangeError` for options that make no sense.
 */
export function createContext(options: ContextOptions): Context {
  checkOptions(options);
  const parts = createParts(options);
  const { keeper, adding, editing, heads, sending, at } = parts;
  const { user, request, reply, send, recover, compact } = createRoundTrip(parts, options.call);
  const inOrder = createQueue();
  const ordered = <Result>(given: CallOptions, work: () => Promise<Result>): Promise<Result> =>
    inOrder(async () => {
      checkCall(given);
      return work();
    });
  return {
    user: (content, given = {}) => ordered(given, () => user(content, given)),
    request: (given = {}) => ordered(given, () => request(given)),
    reply: (given) => inOrder(() => reply(given)),
    results: (outputs, given = {}) => ordered(given, () => adding.results(outputs, given)),
    send: (given = {}) => ordered(given, () => send(given)),
    compact: (given = {}) => ordered(given, () => compact(given)),
    recover: (error, given = {}) => ordered(given, () => recover(error, given)),
    closeRound: (reason) => inOrder(() => adding.closeRound(reason)),
    setHead: (change, given = {}) =>
      ordered(given, async () => {
        given.signal?.throwIfAborted();
        const head = heads.set(changeWithRules(change, options.memory));
        await keeper.write();
        return head;
      }),
    edit: (edits, given) => ordered(given, () => editing.edit(edits, given)),
    apply: (layer, { signal } = {}) =>
      ordered({ signal }, () => {
        const { planContext, commit } = sending;
        return applyLayer(layer, { keeper, planContext, commit, at, signal });
      }),
    undo: (entryId, given = {}) => ordered(given, () => editing.undo(entryId, given)),
    async addUsage(bill) {
      checkBill(bill);
      parts.addBill(bill);
      await keeper.write();
    },
    async note({ by, data }) {
      keeper.append({ type: 'note', by, data }, at());
      await keeper.write();
    },
    async close(given = {}) {
      checkCall(given);
      parts.rest();
      await parts.memory?.close(given);
    },
    flush: () => inOrder(keeper.write),
    size: () => keeper.meter.size(),
    limits: parts.limits,
    view: keeper.layered.view,
    lastRequest: sending.lastRequest,
    usage: parts.usage,
    entries: () => [...keeper.entries],
  };
}
