import { checkOptions, number } from '@varve/guards';
import type { Entry, Json, ToolResultBlock } from '@varve/messages';
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import type { OutputContent } from './content.ts';
import { createDecisions, type Decision, type Decisions } from './decisions.ts';
import type { Limits } from './draft.ts';
import { sessionKey } from './keys.ts';
import {
  createMessageOffloading,
  type OffloadMessagesOptions,
  type OffloadMessagesResult,
} from './messages.ts';
import { createObserver } from './observe.ts';
import { type Settings, settingsOf, type ToolStorageOptions } from './options.ts';
import type { Offloaded, ToolOutput } from './outcome.ts';
import { createQueue } from './queue.ts';
import { createListing, type StoredResult } from './read/listing.ts';
import type { ReadRange, StoredPage } from './read/page.ts';
import { createReading } from './read/reading.ts';
import type { ReadTool } from './read/tool.ts';
import { createRemovals } from './removals.ts';
import { createRounds, type RoundOptions } from './round.ts';
import { createShelf, type Shelf } from './shelf.ts';
import type { StoreCallOptions } from './store.ts';
import { keepTest, type SweepItem, type SweepOptions, type SweepResult, sweep } from './sweep.ts';

export interface OffloadOptions extends StoreCallOptions {
  /** Room that the request has for it, in tokens, where that is less than the threshold; not for a tool whose threshold is `Infinity`. @default Infinity */
  readonly maxTokens?: number | undefined;
}

export interface ToolStorage {
  /**
   * What to put in the message in place of a tool's result. Never throws but for an abort; what went wrong is in the outcome.
   * The same call with the same result gets the same bytes, whatever has changed since.
   */
  offload<B extends BlockLike = never>(
    output: ToolOutput<B>,
    options?: OffloadOptions,
  ): Promise<Offloaded<B>>;
  /** The results of one user message together: the largest are stored until the rest fits `roundChars`. */
  offloadRound<B extends BlockLike = never>(
    outputs: readonly ToolOutput<B>[],
    options?: StoreCallOptions,
  ): Promise<Offloaded<B>[]>;
  /** The same for a huge text of the user's; `id` is its message's. */
  offloadText(
    text: { readonly id: string; readonly text: string },
    options?: OffloadOptions,
  ): Promise<Offloaded>;
  /** The same on a plain array of messages, to be called before each request. */
  offloadMessages<M extends MessageLike>(
    messages: readonly M[],
    options?: OffloadMessagesOptions,
  ): Promise<OffloadMessagesResult<M>>;
  /** Part of a stored result as text. Rejects with ToolStorageError. */
  read(handle: string, range?: ReadRange, options?: StoreCallOptions): Promise<StoredPage>;
  /** A stored result as it was given; bytes that were UTF-8 come as text. Rejects with ToolStorageError. */
  load(handle: string, options?: StoreCallOptions): Promise<OutputContent>;
  /**
   * Removes one result of this session: the preview stays, and nothing reads the rest under this handle again, even what
   * the log holds whole. After a restart that is so once the next note was logged. Rejects with ToolStorageError.
   */
  remove(handle: string, options?: StoreCallOptions): Promise<void>;
  /** Removes old results of all sessions of the store, never one that this session refers to. */
  sweep(options: SweepOptions): Promise<SweepResult>;
  /** The definition of the read tool, to be put among the tools of the head. */
  readonly readTool: ReadTool;
  /**
   * Answers a call of the read tool, without terminal escapes and half characters, as the preview is; errors are texts for
   * the model. Rejects for an abort only.
   */
  runReadTool(
    input: unknown,
    options?: StoreCallOptions,
  ): Promise<{ readonly content: string; readonly isError: boolean }>;
  /**
   * Takes the next entry of the log: old decisions are taken over, results that the model saw are frozen, and those that the
   * log holds whole can be read from it.
   */
  observe(entry: Entry): void;
  /**
   * The handle under which a result of an observed message can be read whole, stored or not, whatever becomes of it in the
   * context; `undefined` for any other block, an empty result and a removed one. Fits the option of that name of
   * `@varve/microcompact`.
   */
  handleOf(block: ToolResultBlock): string | undefined;
  /** Data for a note (`by: 'tool-storage'`) with the decisions and removals since the last call; `undefined` where there are none. */
  takeNote(): Json | undefined;
  /** All decisions, for the option of the same name. */
  decisions(): Decision[];
  /**
   * Results that can be read whole, the newest first: what was stored, and what the log names and holds whole. What a
   * compaction takes out of the view is here still: source `stored` of `restore` of `@varve/compact`.
   */
  stored(): readonly StoredResult[];
  /** Handles that the decisions and the observed entries name. */
  handles(): string[];
  /** A storage that starts with these decisions and shares nothing else; it can read what this one has stored. */
  fork(options: { readonly sessionId: string }): ToolStorage;
}

/**
 * Keeps large results of a session out of its context.
 *
 * @throws RangeError for a limit that is no number or negative
 */
export function createToolStorage(options: ToolStorageOptions): ToolStorage {
  return createStorage(options);
}

/** `parentModel`: that of the thread it was forked from, until a head is observed. */
function createStorage(options: ToolStorageOptions, parentModel?: string): ToolStorage {
  const modelSeen = (): string | undefined => observer.model() ?? parentModel;
  const settings = settingsOf(options, () => options.model ?? modelSeen());
  const decisions = createDecisions(options.decisions);
  const removals = createRemovals();
  const observer = createObserver(decisions, removals);
  const { logged } = observer;
  const shelf = createShelf(settings, removals);
  const parts = { settings, shelf, decisions };
  const listing = createListing({ decisions, logged, removals, named: observer.named });
  const queue = createQueue();
  const offloads = createOffloads(settings, { queue, rounds: createRounds(parts) });
  const { offloadRound } = offloads;
  return {
    ...offloads,
    offloadMessages: createMessageOffloading({ offloadRound, see: observer.see }),
    ...createReading({ ...parts, logged, listing }),
    stored: listing,
    sweep: (call) =>
      queue(() => sweepFor(call, { ...parts, named: observer.named() }), call.signal),
    observe: observer.observe,
    handleOf: logged.handleOf,
    takeNote: () => noteOf(decisions.takeFresh(), removals.takeFresh()),
    decisions: decisions.all,
    handles: () => [...new Set([...decisions.handles(), ...observer.named()])],
    fork({ sessionId }) {
      const bases = [options.sessionId, ...(options.bases ?? [])];
      const own = { ...options, sessionId, bases, decisions: decisions.all() };
      return createStorage(own, modelSeen());
    },
  };
}

function noteOf(fresh: readonly Decision[], removed: readonly string[]): Json | undefined {
  if (fresh.length + removed.length === 0) return undefined;
  return { decisions: fresh as readonly Json[], ...(removed.length > 0 && { removed }) };
}

interface OffloadParts {
  readonly queue: ReturnType<typeof createQueue>;
  readonly rounds: ReturnType<typeof createRounds>;
}

function createOffloads(
  settings: Settings,
  { queue, rounds }: OffloadParts,
): Pick<ToolStorage, 'offload' | 'offloadRound' | 'offloadText'> {
  const { limitsOf, roundChars, textThreshold } = settings;
  const alone = { roundChars: Number.POSITIVE_INFINITY };
  const one = <B extends BlockLike>(output: ToolOutput<B>, options: RoundOptions) =>
    queue(async () => (await rounds([output], options))[0] as Offloaded<B>, options.signal);
  return {
    async offload(output, { signal, maxTokens } = {}) {
      checkOptions({ maxTokens }, ROOM);
      const within = (name: string) => stricter(limitsOf(name), maxTokens);
      return one(output, { ...alone, limitsOf: within, signal });
    },
    offloadRound: (outputs, { signal } = {}) =>
      queue(() => rounds(outputs, { limitsOf, roundChars, signal }), signal),
    async offloadText({ id, text }, { signal, maxTokens } = {}) {
      checkOptions({ maxTokens }, ROOM);
      const output = { toolUseId: id, toolName: '', content: text };
      return one(output, { ...alone, limitsOf: () => stricter(textThreshold, maxTokens), signal });
    },
  };
}

/** Less than none is none. */
const ROOM = { maxTokens: number() };

function stricter(own: Limits, maxTokens: number | undefined): Limits {
  if (maxTokens === undefined || own.chars === Number.POSITIVE_INFINITY) return own;
  return { ...own, tokens: Math.min(own.tokens, Math.max(0, maxTokens)) };
}

interface SweepParts {
  readonly settings: Settings;
  readonly shelf: Shelf;
  readonly decisions: Decisions;
  readonly named: ReadonlySet<string>;
}

async function sweepFor(options: SweepOptions, parts: SweepParts): Promise<SweepResult> {
  const { settings, shelf, decisions, named } = parts;
  const { store, sessionId, bases } = settings;
  const sessions = new Set([sessionId, ...bases].map(sessionKey));
  const isOurs = ({ session, handle }: SweepItem) =>
    sessions.has(session) && (decisions.hashOf(handle) !== undefined || named.has(handle));
  const isKept = keepTest(options.keep);
  const keep = (item: SweepItem) => isOurs(item) || isKept(item);
  const result = await sweep(store, { ...options, keep });
  if (options.dryRun !== true) for (const { key } of result.removed) shelf.gone(key);
  return result;
}
