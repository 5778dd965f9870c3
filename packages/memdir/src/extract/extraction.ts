import {
  checkOptions,
  expected,
  integer,
  isAbortError,
  isRecord,
  number,
  required,
  untilAborted,
  withinTime,
} from '@varve/guards';
import type { Message } from '@varve/messages';
import type { ToolCall } from '@varve/messages/tools';
import type { ModelClient } from '@varve/models';
import type { CallWindowOptions } from '@varve/models/call';
import { waitingKeys } from '../inbox.ts';
import type { Memdir } from '../memdir.ts';
import { type MemoryFile, type ReadMemory, readMemory } from '../memory-file.ts';
import { folderOf, INDEX_NAME } from '../path.ts';
import { withoutSecrets, withoutSecretsBelow } from '../secrets.ts';
import { parseTombstones, TOMBSTONES } from '../tombstones.ts';
import { claimedTurn, hasWritten } from './agent-writes.ts';
import { createDraft } from './draft.ts';
import type { ExtractionEvent, SkipReason } from './event.ts';
import { readOrigins, type SaidText } from './origins.ts';
import { extractionInput } from './prompt.ts';
import { type ChildOptions, type RunFork, runChild } from './run-child.ts';
import { createSessionWords } from './session-words.ts';
import { writeDraft } from './write.ts';

/** Asked before each turn; what is left out is on. */
export interface ExtractionSwitches {
  /** The background pass alone; the agent may still write memory itself. */
  readonly extraction?: boolean | undefined;
  readonly memory?: boolean | undefined;
  /** A run on another machine, where nothing is kept. */
  readonly isRemote?: boolean | undefined;
}

export interface ExtractionOptions {
  readonly memory: Memdir;
  /** Reads the new messages in a call of its own. Give this and `model`, or `runFork`. */
  readonly client?: ModelClient | undefined;
  readonly model?: string | undefined;
  /** Entries of one's own; they win over the model table, which says how large the window of `model` is. */
  readonly models?: CallWindowOptions['models'];
  /** Reads them in a fork of the conversation, which shares its cached prefix. */
  readonly runFork?: RunFork | undefined;
  readonly switches?: (() => ExtractionSwitches) | undefined;
  /** Runs after every so many turns. @default 1 */
  readonly everyTurns?: number | undefined;
  /** Requests of one run. @default 5 */
  readonly maxTurns?: number | undefined;
  /** How long the model may take for one run, in ms; then the run has failed, and its messages come again. @default 120_000 */
  readonly timeoutMs?: number | undefined;
  /** Id of the last message that an earlier process has looked at. @default everything is new */
  readonly cursor?: string | undefined;
  /** Whether the result of a call comes from outside, beside the web, MCP servers and other agents. @default no other does */
  readonly isOutside?: ((call: ToolCall) => boolean) | undefined;
  /** Told what happens in the background. What it throws is ignored. */
  readonly onEvent?: ((event: ExtractionEvent) => void) | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

export type ExtractionDecision =
  | { readonly kind: 'started' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Looks through a conversation, turn by turn, for what later ones should know. */
export interface Extraction {
  /**
   * To be called after each completed turn of the agent (its last answer, no open call), with all messages. Starts a run if it is time
   * for one; never waits, never throws.
   */
  afterTurn(
    messages: readonly Message[],
    options?: { readonly thread?: 'main' | 'sub-agent' | undefined },
  ): ExtractionDecision;
  /**
   * At the end of a session: looks through what is left, and waits for it. Where the signal is aborted what runs is aborted too, and
   * its messages are left for another time. A run that was out of time is not made again.
   */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Resolves when nothing runs. */
  settle(): Promise<void>;
  /** Aborts what runs and starts no more; the memory is as it was. */
  close(): Promise<void>;
  /** How often each reason kept a run from starting, and how runs ended. */
  counts(): Readonly<Record<string, number>>;
  /** Id of the last message that was looked at, for the next process. */
  cursor(): string | undefined;
}

const MOST_DROPPED = 3;
const allOn = (): ExtractionSwitches => ({});

/** @throws TypeError, RangeError for options that make no sense */
export function createExtraction(options: ExtractionOptions): Extraction {
  const child = checkedChild(options);
  const { memory, switches = allOn, everyTurns = 1, maxTurns = 5 } = options;
  const { timeoutMs: limitMs = 120_000 } = options;
  const { isOutside, onEvent, now = Date.now } = options;
  const words = createSessionWords();
  const counts: Record<string, number> = {};
  const closing = new AbortController();
  let cursor: Cursor = { id: options.cursor, turn: 0 };
  let noted: Cursor = { id: undefined, turn: 0 };
  let latest: readonly Message[] = [];
  let isWaiting = false;
  let turnsSince = 0;
  let dropped = 0;
  let running: Promise<void> | undefined;
  let stop = new AbortController();
  /** The last message of a run that was out of time. */
  let late: string | undefined;

  function tell(event: ExtractionEvent): void {
    const key = event.kind === 'skipped' ? event.reason : event.kind;
    counts[key] = (counts[key] ?? 0) + 1;
    if (event.kind === 'finished' && event.writes.length === 0)
      counts.empty = (counts.empty ?? 0) + 1;
    try {
      onEvent?.(event);
    } catch {
      // what a listener throws is its own
    }
  }

  function skip(reason: SkipReason): ExtractionDecision {
    tell({ kind: 'skipped', reason });
    return { kind: 'skipped', reason };
  }

  function gate(thread: 'main' | 'sub-agent'): SkipReason | undefined {
    if (closing.signal.aborted) return 'closed';
    if (thread !== 'main') return 'sub-agent';
    const { extraction = true, memory: isMemoryOn = true, isRemote = false } = switches();
    if (!extraction) return 'extraction-off';
    if (!isMemoryOn) return 'memory-off';
    return isRemote ? 'remote' : undefined;
  }

  /** Words of the whole session, each message once. */
  function noteWords(messages: readonly Message[]): void {
    const window = windowOf(messages, noted);
    for (const said of readOrigins(window.messages, { isOutside })) words.note(said);
    noted = { id: messages.at(-1)?.id, turn: 0 };
  }

  function start(isTrailing: boolean): ExtractionDecision {
    const messages = latest;
    noteWords(messages);
    const { messages: fresh, before, turn } = windowOf(messages, cursor);
    const said = readOrigins(fresh, { turn, before, isOutside });
    const next = { id: messages.at(-1)?.id, turn: Math.max(turn, said.at(-1)?.turn ?? 0) };
    const hasWrittenItself = hasWritten(
      fresh,
      folderOf(memory.folder.locate(INDEX_NAME).replaceAll('\\', '/')),
    );
    const claim = claimedTurn(said);
    if (claim !== undefined && !hasWrittenItself)
      tell({ kind: 'claim-without-write', turn: claim });
    if (hasWrittenItself) {
      cursor = next;
      return skip('agent-wrote-memory');
    }
    if (!said.some(({ origin }) => origin === 'user')) {
      cursor = next;
      return skip('nothing-new');
    }
    turnsSince = 0;
    tell({ kind: 'started', texts: said.length, isTrailing });
    stop = new AbortController();
    const { signal: stopped } = stop;
    const signal = AbortSignal.any([closing.signal, stopped]);
    running = run(said, next, signal)
      .catch((cause: unknown) => {
        if (signal.aborted || isAbortError(cause)) return;
        if (isRecord(cause) && cause.name === 'TimeoutError') late = next.id;
        tell({ kind: 'failed', cause });
      })
      .then(() => {
        running = undefined;
        if (!isWaiting || signal.aborted) return;
        isWaiting = false;
        start(true);
      });
    return { kind: 'started' };
  }

  async function run(said: readonly SaidText[], next: Cursor, signal: AbortSignal): Promise<void> {
    const nowMs = now();
    const clean = said.map((each) => ({ ...each, text: withoutSecrets(each.text) }));
    const { files: found, leftOut } = await memory.scan({ signal });
    const listed = found.map(withoutItsSecrets);
    const files = await readAll(memory, found, signal);
    const index = await indexRoom(memory, signal);
    const about = { files: listed, leftOut, index, said: clean, todayMs: nowMs };
    const draft = createDraft({
      ...{ files, words, said: clean, todayMs: nowMs, isShared: memory.isShared },
      forgotten: await forgottenIn(memory, signal),
      waiting: await waitingKeys(memory.folder, signal),
    });
    const input = extractionInput(about);
    const { dropped: why, ...cost } = await withinTime(
      (within) => runChild(child, { input, draft, maxTurns, signal: within }),
      { limitMs, signal },
    );
    const result = draft.result();
    const isMalformed =
      result.malformed > 0 && result.staged.length === 0 && result.held.length === 0;
    if (why !== undefined || isMalformed) {
      dropped++;
      tell({ kind: 'dropped', reason: why ?? 'malformed', attempt: dropped, ...cost });
      if (dropped < MOST_DROPPED) return;
      tell({ kind: 'cursor-moved', reason: 'three-dropped-runs' });
      cursor = next;
      dropped = 0;
      return;
    }
    const written = await writeDraft(memory, result, { nowMs, signal });
    cursor = next;
    dropped = 0;
    tell({ kind: 'finished', ...written, ...cost });
  }

  function safely(work: () => ExtractionDecision): ExtractionDecision {
    try {
      return work();
    } catch (cause) {
      tell({ kind: 'failed', cause });
      return { kind: 'skipped', reason: 'failed' };
    }
  }

  async function settle(): Promise<void> {
    while (running !== undefined) await running;
  }

  return {
    afterTurn: (messages, { thread = 'main' } = {}) =>
      safely(() => {
        const closed = gate(thread);
        if (closed !== undefined) return skip(closed);
        latest = messages;
        turnsSince++;
        if (running !== undefined) {
          isWaiting = true;
          return skip('running');
        }
        return turnsSince < everyTurns ? skip('throttled') : start(false);
      }),
    async flush(call = {}) {
      checkOptions(call, { signal: 'an AbortSignal' });
      const { signal } = call;
      try {
        await untilAborted(settle, signal);
        const last = latest.at(-1)?.id;
        const hasMore = latest.length > 0 && last !== cursor.id && last !== late;
        if (gate('main') === undefined && hasMore) safely(() => start(true));
        await untilAborted(settle, signal);
      } catch (error) {
        isWaiting = false;
        stop.abort(new DOMException('The extraction was left.', 'AbortError'));
        throw error;
      }
    },
    settle,
    async close() {
      closing.abort(new DOMException('The extraction was closed.', 'AbortError'));
      await settle();
    },
    counts: () => ({ ...counts }),
    cursor: () => cursor.id,
  };
}

interface Cursor {
  readonly id: string | undefined;
  /** Turns of the user up to there. */
  readonly turn: number;
}

/** What is behind the cursor. Where a compaction took its message away, everything is. */
function windowOf(messages: readonly Message[], { id, turn }: Cursor) {
  const at = id === undefined ? -1 : messages.findLastIndex((message) => message.id === id);
  if (at === -1) return { messages, before: undefined, turn: 0 };
  return { messages: messages.slice(at + 1), before: messages[at], turn };
}

function checkedChild(options: ExtractionOptions): ChildOptions {
  checkOptions(options, {
    memory: required('an object'),
    client: A_CLIENT,
    model: 'a text that is not blank',
    models: 'a list',
    runFork: 'a function',
    switches: 'a function',
    everyTurns: integer(1),
    maxTurns: integer(1),
    timeoutMs: number({ above: 0 }),
    cursor: 'a text that is not blank',
    isOutside: 'a function',
    onEvent: 'a function',
    now: 'a function',
  });
  const { client, model, models, runFork } = options;
  if (runFork !== undefined) return { runFork };
  if (client === undefined) throw expected('client', CHILD, client);
  if (model === undefined) throw expected('model', BESIDE_CLIENT, model);
  return { client, model, models };
}

const A_CLIENT = {
  what: 'a ModelClient, as `createAnthropicClient` of @varve/models makes it',
  fits: (value: unknown) => isRecord(value) && typeof value.stream === 'function',
};
const CHILD = { what: 'a ModelClient beside `model`, or left out beside `runFork`' };
const BESIDE_CLIENT = { what: 'the id of a model beside `client`' };

/** Every file with its text, the newest first; of a huge one the beginning. */
async function readAll(
  { folder }: Memdir,
  files: readonly MemoryFile[],
  signal: AbortSignal,
): Promise<readonly ReadMemory[]> {
  const found: ReadMemory[] = [];
  for (const { path, bytes } of files) {
    const listed = { path, bytes, modifiedMs: Number.NaN, version: '' };
    const memory = await readMemory(folder, listed, signal);
    if (memory === undefined) continue;
    const body = withoutSecretsBelow(memory.name, memory.body);
    found.push({ ...withoutItsSecrets(memory), body });
  }
  return found;
}

/** What a hand has written may hold one. */
const withoutItsSecrets = <File extends MemoryFile | ReadMemory>(file: File): File => ({
  ...file,
  name: withoutSecrets(file.name),
  description: withoutSecretsBelow(file.name, file.description),
});

async function indexRoom(memory: Memdir, signal: AbortSignal) {
  const { text, leftOut } = await memory.loadIndex({ signal });
  const lines = text === '' ? 0 : text.split('\n').length + leftOut;
  const bytes = new TextEncoder().encode(text).length;
  return { lines, maxLines: 200, bytes, maxBytes: 25_000 };
}

async function forgottenIn({ folder }: Memdir, signal: AbortSignal) {
  const text = (await folder.read(TOMBSTONES, { signal }))?.text ?? '';
  return new Map(parseTombstones(text).map(({ hash, at }) => [hash, Date.parse(at) || 0]));
}
