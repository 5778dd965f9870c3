import {
  createProjection,
  type Entry,
  isText,
  isToolResult,
  type Message,
  promptTokens,
  type Usage,
  type View,
} from '@varve/messages';
import type { ImportedThread, ImportSignal } from '@varve/transcript/import';
import type { BilledPrompt, RecordedEvent, RecordedSince } from './recorded-request.ts';

/** The requests of a thread that carry a bill, in order, each with the view it was made from. */
export function recordedEvents(thread: ImportedThread): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  const projection = createProjection();
  const gathering = createGathering();
  let view: View | undefined;
  for (const entry of thread.entries) {
    const request = view && requestOf(entry, view, gathering);
    if (request) events.push(request);
    if (isSideRequest(entry)) events.push({ kind: 'side', startMs: Date.parse(entry.at) });
    gathering.add(entry);
    view = projection.append(entry);
  }
  return events;
}

function requestOf(entry: Entry, view: View, gathering: Gathering): RecordedEvent | undefined {
  if (entry.type !== 'message' || entry.message.role !== 'assistant') return undefined;
  const { id, response, origin, createdAt } = entry.message;
  const startMs = gathering.startMs();
  const since = gathering.take();
  if (!response?.usage || origin?.kind === 'synthetic') return undefined;
  if (promptTokens(response.usage) === 0) return undefined;
  return {
    kind: 'request',
    messageId: id,
    model: response.model,
    view,
    startMs,
    firstTokenMs: Math.max(startMs, Date.parse(createdAt ?? entry.at)),
    usage: response.usage,
    billed: billedPrompt(response.usage),
    since,
  };
}

function billedPrompt(usage: Usage): BilledPrompt {
  const written = usage.cache_creation_input_tokens ?? 0;
  const write1h = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
  return {
    total: promptTokens(usage),
    read: usage.cache_read_input_tokens ?? 0,
    write5m: written - write1h,
    write1h,
    plain: usage.input_tokens,
  };
}

interface Gathering {
  add(entry: Entry): void;
  /** When the next request went out: with the last input, or later where the file says so. */
  startMs(): number;
  /** What was gathered since the last call. */
  take(): RecordedSince;
}

function createGathering(): Gathering {
  let signals: ImportSignal[] = [];
  let edits: string[] = [];
  let texts: string[] = [];
  let [lastInputMs, laterStartMs] = [Number.NaN, Number.NaN];
  return {
    add(entry) {
      if (entry.type === 'edit') edits.push(entry.reason);
      const signal = signalOf(entry);
      if (signal) signals.push(signal);
      laterStartMs = laterStart(signal) ?? laterStartMs;
      if (entry.type !== 'message' || entry.message.role !== 'user') return;
      lastInputMs = Date.parse(entry.message.createdAt ?? entry.at);
      if (isFromPerson(entry.message)) texts.push(textOf(entry.message));
    },
    startMs: () => (Number.isNaN(laterStartMs) ? lastInputMs : laterStartMs),
    take() {
      const isUserTurn = texts.length > 0 || signals.some(({ kind }) => kind === 'turn-start');
      const since = { signals, edits, isUserTurn, userText: texts.join('\n') };
      [signals, edits, texts, laterStartMs] = [[], [], [], Number.NaN];
      return since;
    },
  };
}

function signalOf(entry: Entry): ImportSignal | undefined {
  const isSignal = entry.type === 'note' && entry.by === 'import';
  return isSignal ? (entry.data as unknown as ImportSignal) : undefined;
}

function laterStart(signal: ImportSignal | undefined): number | undefined {
  if (signal?.kind === 'request-start') return Date.parse(signal.at);
  if (signal?.kind === 'api-error' && signal.retryAt) return Date.parse(signal.retryAt);
  return undefined;
}

const isSideRequest = (entry: Entry): boolean => signalOf(entry)?.kind === 'away-summary';

const isFromPerson = ({ origin, content }: Message): boolean =>
  origin === undefined && !content.some(isToolResult);

const textOf = ({ content }: Message): string =>
  content.map((block) => (isText(block) ? block.text : '')).join(' ');
