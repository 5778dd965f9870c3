import { promptTokens, type Usage } from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';
import { type ModelInfo, priceUsage } from '@varve/tokens';
import type { BreakObservation } from './break-detector.ts';
import type { CacheMessage, CacheRequest } from './cache-request.ts';
import {
  headPieces,
  messagePieces,
  type Piece,
  PROMPT_PARTS,
  type PromptPart,
} from './prompt-parts.ts';
import type { PromptSizes } from './prompt-sizes.ts';

export interface BillSplitOptions {
  /** Prices of one's own: entries that win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** A response: its request as it was sent, what was billed, and what a break detector said to it. */
export interface SplitRequest {
  readonly request: CacheRequest;
  readonly usage: Usage;
  readonly observation: BreakObservation;
  readonly sizeOf: PromptSizes;
}

/** Tokens and their price; dollars of every token whose rate is known. */
export interface BillAmount {
  readonly tokens: number;
  readonly dollars: number;
}

/** What one part of the prompts was billed. */
export interface BillPart {
  readonly part: PromptPart;
  /** Read from the cache. */
  readonly read: BillAmount;
  /** Sent before, and not read: what a lost, a missing or a too small cache costs. */
  readonly again: BillAmount;
  /** Sent for the first time. */
  readonly added: BillAmount;
}

/** Breaks of one cause. */
export interface BillBreak {
  /** The reason that was announced, else the cause that was found. */
  readonly cause: string;
  readonly isExpected: boolean;
  readonly count: number;
  /** What could have been read had nothing changed; what an edit took out is never paid again. */
  readonly lostTokens: number;
  /** What was sent again for it, and what that cost beyond reading it. */
  readonly again: BillAmount;
}

/** Where the money of a conversation went. `parts` and `output` together are all that its replies were billed. */
export interface SplitBill {
  readonly parts: readonly BillPart[];
  readonly output: BillAmount;
  /** The dearest first. */
  readonly breaks: readonly BillBreak[];
}

export interface BillSplit {
  /** Call with every response that carries usage, in the order in which the requests started. */
  add(response: SplitRequest): void;
  get(): SplitBill;
}

interface Sum {
  tokens: number;
  dollars: number;
}

interface BreakSum {
  readonly isExpected: boolean;
  readonly cause: string;
  count: number;
  lostTokens: number;
  readonly again: Sum;
}

/** A stretch of the prompt: the head, or a message. */
interface Stretch {
  readonly pieces: readonly Piece[];
  /** Sizes of all parts before it, in the order of `PROMPT_PARTS`. */
  readonly before: Float64Array;
  readonly start: number;
  readonly end: number;
  /** Whether it stood in an earlier request. */
  wasSent: boolean;
}

/**
 * Splits bills over what the prompts were made of. The sizes of parts are estimates, scaled to what was billed; their sum is
 * the bill. A request costs O(what is new), and a comparison of references for each other message where no log grew.
 */
export function createBillSplit({ models }: BillSplitOptions = {}): BillSplit {
  const parts = PROMPT_PARTS.map((part) => ({ part, read: sum(), again: sum(), added: sum() }));
  const output = sum();
  const breaks = new Map<string, BreakSum>();
  const seen = new Set<unknown>();
  let sizes: PromptSizes | undefined;
  let head: CacheRequest['head'] | undefined;
  const sharedWithLast = createSharedStart<CacheMessage>();
  let prompt: Stretch[] = [];

  /** Measures what is new since the request before, and says where it begins. */
  function advance({ request, sizeOf }: SplitRequest): number {
    const isOther = sizes !== sizeOf || head !== request.head;
    if (isOther) {
      [sizes, head] = [sizeOf, request.head];
      prompt = [stretch(headPieces(request.head, sizeOf), undefined, isSeen(request.head))];
    }
    const same = sharedWithLast(request.messages);
    const shared = isOther ? 0 : Math.min(same, prompt.length - 1);
    prompt.length = shared + 1;
    for (const message of request.messages.slice(shared)) {
      const pieces = messagePieces(message, sizeOf);
      prompt.push(stretch(pieces, prompt.at(-1), isSeen(keyOf(message))));
    }
    return isOther ? 0 : shared + 1;
  }

  /** Whether it stood in an earlier request; from now on it did. */
  function isSeen(key: unknown): boolean {
    const was = seen.has(key);
    seen.add(key);
    return was;
  }

  /** Reads what stands before a place, and pays for the rest. Gives the tokens that are paid again. `known`: see `advance`. */
  function share({ readTokens, readRate, paidRate, scale }: Rates, known: number): number {
    const at = indexAt(prompt, scale === 0 ? 0 : readTokens / scale);
    const first = prompt[at];
    if (first === undefined) return 0;
    for (const [index, size] of first.before.entries()) {
      const tokens = size * scale;
      plus(parts[index]?.read, tokens, tokens * readRate);
    }
    let left = Math.max(0, readTokens - first.start * scale);
    let againTokens = 0;
    const payFor = ({ pieces, wasSent }: Stretch): void => {
      for (const { part, size } of pieces) {
        const to = parts[PROMPT_PARTS.indexOf(part)];
        const read = Math.min(size * scale, left);
        left -= read;
        plus(to?.read, read, read * readRate);
        const paid = size * scale - read;
        plus(wasSent ? to?.again : to?.added, paid, paid * paidRate);
        if (wasSent) againTokens += paid;
      }
    };
    payFor(first);
    // what stands between was all sent before, and is paid as one
    const fresh = Math.max(at + 1, known);
    const start = sizesBefore(prompt, at + 1);
    for (const [index, size] of sizesBefore(prompt, fresh).entries()) {
      const paid = (size - (start[index] as number)) * scale;
      plus(parts[index]?.again, paid, paid * paidRate);
      againTokens += paid;
    }
    for (const each of prompt.slice(fresh)) payFor(each);
    return againTokens;
  }

  /** What is paid again in a request with several breaks is shared out by what each of them lost. */
  function addBreaks(
    { observation, request, usage }: SplitRequest,
    { paidRate, againTokens }: { readonly paidRate: number; readonly againTokens: number },
  ): void {
    if (observation.kind === 'no-drop') return;
    const { kind } = observation;
    const tokens = promptTokens(usage);
    const asRead = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: tokens };
    const { dollars } = priceUsage(asRead, request.head.model, { models });
    const lossRate = Math.max(0, paidRate - (tokens === 0 ? 0 : dollars / tokens));
    const allLost = observation.breaks.reduce((total, { lostTokens }) => total + lostTokens, 0);
    for (const { cause: found, lostTokens } of observation.breaks) {
      const cause = kind === 'expected' ? observation.reason : found;
      const key = `${kind} ${cause}`;
      const fresh = { isExpected: kind === 'expected', cause, count: 0, lostTokens: 0 };
      const entry = breaks.get(key) ?? { ...fresh, again: sum() };
      const again = allLost === 0 ? 0 : (againTokens * lostTokens) / allLost;
      entry.count += 1;
      entry.lostTokens += lostTokens;
      plus(entry.again, again, again * lossRate);
      breaks.set(key, entry);
    }
  }

  return {
    add(response) {
      const { request, usage } = response;
      const price = priceUsage(usage, request.head.model, { models });
      const { cacheRead, input, cacheWrite5m, cacheWrite1h } = price.parts;
      plus(output, price.parts.output.tokens, price.parts.output.dollars);
      const paid = sum();
      for (const each of [input, cacheWrite5m, cacheWrite1h]) plus(paid, each.tokens, each.dollars);
      const known = advance(response);
      const size = prompt.at(-1)?.end ?? 0;
      const scale = size === 0 ? 0 : (cacheRead.tokens + paid.tokens) / size;
      const paidRate = rateOf(paid);
      const rates = { readTokens: cacheRead.tokens, readRate: rateOf(cacheRead), paidRate, scale };
      const againTokens = share(rates, known);
      for (const fresh of prompt.slice(known)) fresh.wasSent = true;
      addBreaks(response, { paidRate, againTokens });
    },
    get: () => ({
      parts: parts.map(({ part, read, again, added }) => ({
        ...{ part, read: { ...read }, again: { ...again }, added: { ...added } },
      })),
      output: { ...output },
      breaks: [...breaks.values()]
        .map((entry) => ({ ...entry, again: { ...entry.again } }))
        .sort((one, other) => other.again.dollars - one.again.dollars),
    }),
  };
}

interface Rates {
  readonly readTokens: number;
  /** Dollars of a token. */
  readonly readRate: number;
  readonly paidRate: number;
  /** Billed tokens of an estimated one. */
  readonly scale: number;
}

function stretch(
  pieces: readonly Piece[],
  previous: Stretch | undefined,
  wasSent: boolean,
): Stretch {
  const before = sizesBehind(previous);
  const start = previous?.end ?? 0;
  const end = pieces.reduce((total, { size }) => total + size, start);
  return { pieces, before, start, end, wasSent };
}

/** Sizes of all parts before a stretch, or of all there are. */
const sizesBefore = (prompt: readonly Stretch[], at: number): Float64Array =>
  prompt[at]?.before ?? sizesBehind(prompt.at(-1));

function sizesBehind(stretch: Stretch | undefined): Float64Array {
  const sizes = Float64Array.from(stretch?.before ?? PROMPT_PARTS.map(() => 0));
  for (const { part, size } of stretch?.pieces ?? []) {
    const index = PROMPT_PARTS.indexOf(part);
    sizes[index] = (sizes[index] ?? 0) + size;
  }
  return sizes;
}

/** The stretch in which a place is; the last one where it is behind all of them. */
function indexAt(prompt: readonly Stretch[], place: number): number {
  let [low, high] = [0, prompt.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((prompt[middle] as Stretch).end > place) high = middle;
    else low = middle + 1;
  }
  return Math.max(0, low);
}

/** A message is known by its id, and without one by reference. */
const keyOf = (message: CacheMessage): unknown =>
  (message as { readonly id?: unknown }).id ?? message;

const sum = (): Sum => ({ tokens: 0, dollars: 0 });

function plus(to: Sum | undefined, tokens: number, dollars: number): void {
  if (to === undefined) return;
  to.tokens += tokens;
  to.dollars += dollars;
}

const rateOf = ({ tokens, dollars }: BillAmount): number => (tokens === 0 ? 0 : dollars / tokens);
