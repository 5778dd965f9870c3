import { untilAborted } from '@varve/guards';
import type { Message, Request, Usage } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { fitCall } from '@varve/models/call';
import { headWithin } from '../restore/head-within.ts';
import type { CompactionFailed } from '../types.ts';
import { acceptSummary } from './accept-summary.ts';
import { addUsage, callModel } from './call.ts';
import type { Bill } from './engine.ts';
import { type CompactFailure, failureOfCode } from './failure.ts';
import { summaryInstruction } from './prompt.ts';
import { summaryBody } from './summary-text.ts';
import { cutPiece, type Piece, transcriptOf, unitsKept } from './transcript.ts';
import type { SummaryTask, Written } from './write-summary.ts';

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

/**
 * Summarises a history that no single request can hold: its transcript goes to the model in parts, each with the summary of
 * the parts before it, so that the last answer stands for all of it. Each part takes what its request has room for beside
 * that summary as it is; long results are cut so that a bounded number of parts is enough, and what still does not fit is
 * left out, the oldest first.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function writeInParts(
  task: SummaryTask,
  start: PartsStart,
  signal: AbortSignal | undefined,
): Promise<Written | CompactionFailed<CompactFailure>> {
  let { calls, usage, limitTokens } = start;
  const { lead, rest } = leadOf(task, outputRoom(task, limitTokens));
  let text = lead;
  let left: readonly SizedPiece[] = transcriptOf(rest).map((piece) => sized(piece, task));
  const wholeTokens = Math.max(1, tokensOf(left));
  let seenTokens = 0;
  let isWhole = true;
  const tries = { smaller: 0, broken: 0, unusable: 0 };
  for (let done = 0; left.length > 0 && done < MOST_PARTS; ) {
    const rooms = roomsOf(task, limitTokens, text);
    if (rooms.partTokens < LEAST_PART_TOKENS) {
      return { kind: 'failed', reason: 'prompt-too-long', ...billOf(calls, usage) };
    }
    const part = nextPart(left, { ...rooms, count: MOST_PARTS - done }, task);
    const place = [done + 1, done + part.count] as const;
    const request = partRequest(task, { text, part: part.text, rooms, place });
    const outcome = await callModel(task.summarize, request, signal);
    calls++;
    const reply = outcome.kind === 'reply' ? outcome.reply : undefined;
    usage = addUsage(
      usage,
      reply ? reply.usage : outcome.kind === 'error' ? outcome.error.usage : undefined,
    );
    const accepted =
      reply && acceptSummary(reply, acceptFor(task, rooms, { earlier: text, part: part.text }));
    if (accepted?.kind === 'accepted') {
      text = accepted.text;
      done++;
      left = part.left;
      seenTokens += part.tokens;
      isWhole &&= part.isWhole;
      continue;
    }
    const error = outcome.kind === 'error' ? outcome.error : undefined;
    const reason = accepted?.reason ?? failureOfCode(error?.code);
    const failed = {
      ...({ kind: 'failed', reason } as const),
      ...billOf(calls, usage),
      ...(error && { cause: error }),
    };
    if (reason === 'prompt-too-long' && tries.smaller++ < MOST_SMALLER) {
      limitTokens = Math.min(limitTokens / SMALLER, error?.limitTokens ?? limitTokens);
      if (roomsOf(task, limitTokens, text).partTokens < LEAST_PART_TOKENS) return failed;
    } else if (reason === 'model-failed' && error?.retryable && tries.broken++ < MOST_TRIES) {
      await untilAborted(task.wait(error.retryAfterMs ?? PAUSE_MS, signal), signal);
    } else if (!UNUSABLE.has(reason) || tries.unusable++ >= MOST_TRIES) return failed;
  }
  if (text === undefined)
    return { kind: 'failed', reason: 'nothing-to-compact', ...billOf(calls, usage) };
  const share = Math.min(0.999, Math.round((seenTokens / wholeTokens) * 1_000) / 1_000);
  return { kind: 'written', text, seenShare: isWhole ? 1 : share, ...billOf(calls, usage) };
}

const billOf = (calls: number, usage: Usage | undefined): Bill => ({
  calls,
  ...(usage && { usage }),
});

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
function leadOf({ messages, end, sizeOfText }: SummaryTask, outputTokens: number) {
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
  /** What parts behind this one have, as far as is known: the summary in front of them grows. */
  readonly laterTokens: number;
}

function roomsOf(task: SummaryTask, limitTokens: number, text: string | undefined): Rooms {
  const outputTokens = outputRoom(task, limitTokens);
  const instruction = task.sizeOfText(instructionFor(task, true));
  const free = limitTokens * (1 - MARGIN) - outputTokens - instruction - FRAME_TOKENS;
  const earlierTokens = text === undefined ? 0 : task.sizeOfText(text);
  const beside = (tokens: number) => Math.floor(Math.min(free - tokens, task.windowTokens));
  return {
    outputTokens,
    partTokens: beside(earlierTokens),
    laterTokens: Math.max(LEAST_PART_TOKENS, beside((earlierTokens + outputTokens) / 2)),
  };
}

const outputRoom = (task: SummaryTask, limitTokens: number): number =>
  Math.max(1, Math.min(task.outputTokens, Math.floor(limitTokens / 5)));

/** Share of a prompt that is kept free, because its size is an estimate by another vocabulary. */
const MARGIN = 0.1;
const FRAME_TOKENS = 60;

const instructionFor = ({ focus }: SummaryTask, earlier: boolean): string =>
  summaryInstruction({ focus, earlier });

interface SizedPiece extends Piece {
  readonly tokens: number;
}

/** A block that was measured is not measured again as text: of a million tokens that takes longer than all else here. */
const sized = ({ of, ...piece }: Piece, { sizeOf, sizeOfText }: SummaryTask): SizedPiece => ({
  ...piece,
  tokens: of ? sizeOf({ ...of.message, content: [of.block] }) : sizeOfText(piece.text) + 1,
});

const tokensOf = (pieces: readonly SizedPiece[]): number =>
  pieces.reduce((sum, { tokens }) => sum + tokens, 0);

interface Part {
  readonly text: string;
  readonly tokens: number;
  /** What the parts behind it are made of, whole. */
  readonly left: readonly SizedPiece[];
  /** Whether nothing was cut or left out so far. */
  readonly isWhole: boolean;
  /** How many parts there are from this one on, as it looks now. */
  readonly count: number;
}

/** The first of at most `count` parts; the last one takes all that is left. */
function nextPart(
  pieces: readonly SizedPiece[],
  { partTokens, laterTokens, count }: Rooms & { readonly count: number },
  task: SummaryTask,
): Part {
  let room = (partTokens + (count - 1) * laterTokens) * PACKED;
  for (;;) {
    const { from, units } = shortened(pieces, room);
    const fitted = pieces.slice(from);
    const part = filled(fitted, units, { partTokens, ...task });
    const isOver = count === 1 && part.left.length > 0;
    if (!isOver) {
      const rest = part.left.reduce((sum, piece) => sum + cutTokens(piece, units), 0);
      const isWhole = from === 0 && units === Number.MAX_SAFE_INTEGER;
      return { ...part, isWhole, count: Math.min(count, 1 + Math.ceil(rest / laterTokens)) };
    }
    if (fitted.length === 1) return { ...part, left: [], isWhole: false, count: 1 };
    room *= 0.9;
  }
}

/** How full parts are on average, because few pieces end where a part does. */
const PACKED = 0.95;

/** To how many UTF-16 units pieces are cut so that they have room, and how many of the oldest go where the shortest have none. */
function shortened(pieces: readonly SizedPiece[], room: number): { from: number; units: number } {
  const total = (units: number) => pieces.reduce((sum, each) => sum + cutTokens(each, units), 0);
  if (tokensOf(pieces) <= room) return { from: 0, units: Number.MAX_SAFE_INTEGER };
  let over = total(LEAST_UNITS) - room;
  if (over <= 0) {
    let [least, most] = [LEAST_UNITS, MOST_UNITS];
    for (let step = 0; step < STEPS; step++) {
      const middle = Math.floor(Math.sqrt(least * most));
      if (total(middle) <= room) least = middle;
      else most = middle;
    }
    return { from: 0, units: least };
  }
  let from = 0;
  while (over > 0 && from < pieces.length - 1) {
    over -= cutTokens(pieces[from++] as SizedPiece, LEAST_UNITS);
  }
  return { from, units: LEAST_UNITS };
}

const LEAST_UNITS = 126;
const MOST_UNITS = 1_000_000;
const STEPS = 16;
/** Tokens of the notice in place of what was cut out of a piece. */
const CUT_TOKENS = 12;

/** About how many tokens a piece has once it is cut. */
function cutTokens(piece: SizedPiece, units: number): number {
  const kept = unitsKept(piece, units);
  return kept >= piece.text.length
    ? piece.tokens
    : (piece.tokens * kept) / piece.text.length + CUT_TOKENS;
}

/** As many pieces as a part holds, and the head of the one that does not fit whole. */
function filled(
  pieces: readonly SizedPiece[],
  units: number,
  { partTokens, sizeOfText }: Pick<Rooms, 'partTokens'> & Pick<SummaryTask, 'sizeOfText'>,
): Pick<Part, 'text' | 'tokens' | 'left'> {
  const held: string[] = [];
  let room = partTokens;
  for (const [index, piece] of pieces.entries()) {
    const text = cutPiece(piece, units);
    const tokens = text === piece.text ? piece.tokens : sizeOfText(text) + 1;
    if (tokens <= room) {
      held.push(text);
      room -= tokens;
      continue;
    }
    const isWorth = room > partTokens * WORTH_FILLING || held.length === 0;
    const head = isWorth ? headWithin(text, room - 1, sizeOfText).text : '';
    const rest = pieces.slice(index + 1);
    const used = { tokens: partTokens - room };
    if (head === '' && held.length === 0) return { ...used, text: text.slice(0, 1), left: rest };
    if (head === '') return { ...used, text: held.join('\n'), left: pieces.slice(index) };
    const tail = { ...piece, text: text.slice(head.length) };
    const left = [{ ...tail, tokens: sizeOfText(tail.text) + 1 }, ...rest];
    return { text: [...held, head].join('\n'), tokens: used.tokens + sizeOfText(head), left };
  }
  return { text: held.join('\n'), tokens: partTokens - room, left: [] };
}

/** A piece is parted where so much of a part would stay empty. */
const WORTH_FILLING = 0.08;

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
  replaced: () => [part],
});
