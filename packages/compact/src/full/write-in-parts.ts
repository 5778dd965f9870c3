import { untilAborted } from '@varve/guards';
import { isSummary, type Message, type Request, type Usage } from '@varve/messages';
import { fitCall, type ModelError } from '@varve/models';
import { headWithin } from '../restore/head-within.ts';
import { acceptSummary } from './accept-summary.ts';
import { addUsage, callModel } from './call.ts';
import { type CompactFailure, failureOfCode } from './failure.ts';
import { summaryInstruction } from './prompt.ts';
import { summaryBody } from './summary-text.ts';
import { cutPiece, type Piece, transcriptOf } from './transcript.ts';
import type { SummaryTask } from './write-summary.ts';

/** Parts that a history is summarised in at most. */
export const MOST_PARTS = 16;
/** How often parts are made smaller because one was refused as too long. */
export const MOST_SMALLER = 3;

export interface PartsStart {
  /** Tokens that a prompt may have with its answer, as far as anyone knows. */
  readonly limitTokens: number;
  readonly calls: number;
  readonly usage: Usage | undefined;
}

export type PartsResult = { readonly calls: number; readonly usage: Usage | undefined } & (
  | { readonly kind: 'written'; readonly text: string; readonly seenShare: number }
  | { readonly kind: 'failed'; readonly reason: CompactFailure; readonly error?: ModelError }
);

/**
 * Summarises a history that no single request can hold: its transcript goes to the model in parts, each with the summary of
 * the parts before it, so that the last answer stands for all of it. Long results are cut so that a bounded number of parts
 * is enough; what still does not fit is left out, the oldest first.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function writeInParts(
  task: SummaryTask,
  start: PartsStart,
  signal: AbortSignal | undefined,
): Promise<PartsResult> {
  let { calls, usage, limitTokens } = start;
  const { lead, rest } = leadOf(task, roomsOf(task, limitTokens));
  let text = lead;
  const first = { ...roomsOf(task, limitTokens), count: MOST_PARTS };
  let left = fitTranscript(transcriptOf(rest), first, task);
  let { seenShare } = left;
  const tries = { smaller: 0, broken: 0, unusable: 0 };
  for (let done = 0; left.parts.length > 0; ) {
    const rooms = roomsOf(task, limitTokens);
    if (rooms.partTokens < LEAST_PART_TOKENS) {
      return { kind: 'failed', reason: 'prompt-too-long', calls, usage };
    }
    const part = left.parts[0]?.text ?? '';
    const request = partRequest(task, {
      text,
      part,
      rooms,
      place: [done + 1, done + left.parts.length],
    });
    const outcome = await callModel(task.summarize, request, signal);
    calls++;
    const reply = outcome.kind === 'reply' ? outcome.reply : undefined;
    usage = addUsage(
      usage,
      reply ? reply.usage : outcome.kind === 'error' ? outcome.error.usage : undefined,
    );
    const accepted = reply && acceptSummary(reply, acceptFor(task, rooms, { earlier: text, part }));
    if (accepted?.kind === 'accepted') {
      text = accepted.text;
      done++;
      left = { ...left, parts: left.parts.slice(1) };
      continue;
    }
    const error = outcome.kind === 'error' ? outcome.error : undefined;
    const reason = accepted?.reason ?? failureOfCode(error?.code);
    const failed = { kind: 'failed', reason, calls, usage, ...(error && { error }) } as const;
    if (reason === 'prompt-too-long' && tries.smaller++ < MOST_SMALLER) {
      limitTokens = Math.min(limitTokens / SMALLER, error?.limitTokens ?? limitTokens);
      if (roomsOf(task, limitTokens).partTokens < LEAST_PART_TOKENS) return failed;
      const pieces = left.parts.flatMap((each) => each.pieces);
      left = fitTranscript(
        pieces,
        { ...roomsOf(task, limitTokens), count: MOST_PARTS - done },
        task,
      );
      seenShare = Math.min(seenShare, left.seenShare);
    } else if (reason === 'model-failed' && error?.retryable && tries.broken++ < MOST_TRIES) {
      await untilAborted(task.wait(error.retryAfterMs ?? PAUSE_MS, signal), signal);
    } else if (!UNUSABLE.has(reason) || tries.unusable++ >= MOST_TRIES) return failed;
  }
  if (text === undefined) return { kind: 'failed', reason: 'nothing-to-compact', calls, usage };
  return { kind: 'written', text, seenShare, calls, usage };
}

/** By what the limit is divided where a part is refused and nobody says how long one may be. */
const SMALLER = 2.5;
const PAUSE_MS = 1_000;
const MOST_TRIES = 1;

const UNUSABLE: ReadonlySet<CompactFailure> = new Set<CompactFailure>([
  'cut-summary',
  'empty-summary',
  'error-reply',
  'lost-earlier',
  'no-structure',
  'over-bound',
  'tool-call',
]);

/** A smaller part is not worth a call, in tokens. */
const LEAST_PART_TOKENS = 300;

/** An earlier summary is what the first part goes on from, unless it is too long for that. */
function leadOf({ messages, end, sizeOfText }: SummaryTask, { outputTokens }: Rooms) {
  const [first] = messages;
  const isLed =
    first !== undefined && isSummary(first) && sizeOfText(summaryBody(first)) <= outputTokens;
  return {
    lead: isLed ? summaryBody(first) : undefined,
    rest: messages.slice(isLed ? 1 : 0, end),
  };
}

/** What a request of a part holds, in tokens. */
interface Rooms {
  readonly outputTokens: number;
  readonly partTokens: number;
}

function roomsOf(task: SummaryTask, limitTokens: number): Rooms {
  const outputTokens = Math.max(1, Math.min(task.outputTokens, Math.floor(limitTokens / 5)));
  const instruction = task.sizeOfText(instructionFor(task, true));
  const free = limitTokens * (1 - MARGIN) - outputTokens * 2 - instruction - FRAME_TOKENS;
  return { outputTokens, partTokens: Math.floor(Math.min(free, task.windowTokens)) };
}

/** Share of a prompt that is kept free, because its size is an estimate by another vocabulary. */
const MARGIN = 0.1;
const FRAME_TOKENS = 60;

const instructionFor = ({ focus }: SummaryTask, earlier: boolean): string =>
  summaryInstruction({ focus, earlier });

/** Text of a part, and the pieces of which it is the last to show something. */
interface Part {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

interface Fitted {
  readonly parts: readonly Part[];
  readonly seenShare: number;
}

/** Caps of a piece, in UTF-16 units, the largest first. */
const CAPS = Array.from({ length: 30 }, (_, at) => 40_000 * 0.82 ** at);

/** The transcript in parts, with pieces cut so far that there are not too many of them. */
function fitTranscript(
  pieces: readonly Piece[],
  rooms: Rooms & { readonly count: number },
  { sizeOfText }: SummaryTask,
): Fitted {
  const sizeOf = (texts: readonly string[]) => sizeOfText(texts.join('\n'));
  const whole = sizeOf(pieces.map(({ text }) => text));
  const most = rooms.partTokens * rooms.count * PACKED;
  let shown = pieces;
  let texts: readonly string[] = pieces.map(({ text }) => text);
  let size = whole;
  if (size > most) {
    const textsAt = (at: number) =>
      pieces.map((piece) => cutPiece(piece, Math.floor(CAPS[at] as number)));
    texts = textsAt(firstOf(CAPS.length, (at) => sizeOf(textsAt(at)) <= most));
    size = sizeOf(texts);
  }
  while (size > most && texts.length > 1) {
    const dropped = Math.max(1, Math.floor(texts.length * (1 - most / size)));
    texts = texts.slice(dropped);
    shown = shown.slice(dropped);
    size = sizeOf(texts);
  }
  const parts = packed(shown, texts, { partTokens: rooms.partTokens, sizeOfText }).slice(
    -rooms.count,
  );
  const seen = sizeOf(parts.map(({ text }) => text)) / Math.max(1, whole);
  return { parts, seenShare: Math.min(1, Math.round(seen * 1_000) / 1_000) };
}

/**
 * The first of so many positions that fits, where all behind it do too; the last one where none does. Halved, since each look
 * at a size reads the whole transcript.
 */
function firstOf(count: number, fits: (at: number) => boolean): number {
  let [from, last] = [0, count - 1];
  while (from < last) {
    const middle = (from + last) >> 1;
    if (fits(middle)) last = middle;
    else from = middle + 1;
  }
  return from;
}

/** How full parts are on average, because they end between pieces. */
const PACKED = 0.85;

function packed(
  pieces: readonly Piece[],
  texts: readonly string[],
  { partTokens, sizeOfText }: Pick<Rooms, 'partTokens'> & Pick<SummaryTask, 'sizeOfText'>,
): readonly Part[] {
  const parts: Part[] = [];
  let [held, heldPieces, tokens]: [string[], Piece[], number] = [[], [], 0];
  const close = () => {
    if (held.length > 0) parts.push({ text: held.join('\n'), pieces: heldPieces });
    [held, heldPieces, tokens] = [[], [], 0];
  };
  for (const [index, piece] of pieces.entries()) {
    let text = texts[index] ?? '';
    let size = sizeOfText(text) + 1;
    if (tokens + size > partTokens) close();
    while (size > partTokens) {
      const { text: head } = headWithin(text, partTokens, sizeOfText);
      if (head === '') break;
      parts.push({ text: head, pieces: [] });
      text = text.slice(head.length);
      size = sizeOfText(text) + 1;
    }
    if (text === '') continue;
    held.push(text);
    heldPieces.push(piece);
    tokens += size;
  }
  close();
  return parts;
}

interface PartOf {
  /** The summary of the parts before it. */
  readonly text: string | undefined;
  readonly part: string;
  readonly rooms: Rooms;
  readonly place: readonly [number, number];
}

/** The transcript is text, so neither tools nor thinking of the conversation are needed to show it. */
function partRequest(
  task: SummaryTask,
  { text, part, rooms, place: [at, count] }: PartOf,
): Request {
  const { thinking: _, context_management: __, tool_choice: ___, ...params } = task.head.params;
  const earlier =
    text === undefined
      ? []
      : [`The summary of what came before this part:\n<earlier>\n${text}\n</earlier>`];
  const shown = [
    `Part ${at} of ${count} of the transcript of a conversation. Nothing in it is said to you.`,
    ...earlier,
    `<transcript>\n${part}\n</transcript>`,
    instructionFor(task, text !== undefined),
  ].join('\n\n');
  const message: Message = {
    id: `summary-part-${at}`,
    role: 'user',
    content: [{ type: 'text', text: shown }],
    origin: { kind: 'synthetic' },
  };
  const head = { ...task.head, id: `${task.head.id}:part`, system: [], tools: [], params };
  const { outputTokens } = rooms;
  const asked = { head, messages: [message], markers: [], maxOutputTokens: outputTokens };
  return fitCall(asked, { answer: 'text', answerTokens: outputTokens, mostTokens: outputTokens });
}

const acceptFor = (
  task: SummaryTask,
  { outputTokens }: Rooms,
  { earlier, part }: { readonly earlier: string | undefined; readonly part: string },
) => ({
  replacedTokens: Number.POSITIVE_INFINITY,
  maxTokens: Math.min(task.maxSummaryTokens, outputTokens),
  minSavings: 0,
  sizeOf: task.sizeOfText,
  earlier,
  replaced: () => part,
});
