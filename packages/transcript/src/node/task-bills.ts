import { basename, dirname, join } from 'node:path';
import { isRecord, recordOf } from '@varve/guards';
import type { Entry, Message, Usage } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import { readBill } from '../import/bills.ts';
import { createContext, type ImportContext } from '../import/context.ts';
import { type JsonRecord, textOf, timeOf } from '../import/json.ts';
import type { ImportedSession, ImportOptions } from '../import/types.ts';
import { readChunks } from './read-log.ts';

/** What the model saw of a task of Cline, Roo Code or Kilo Code; the other JSON files of its folder are about it. */
export const TASK_MESSAGES = 'api_conversation_history.json';

/** What the editor shows of a task, with what each request was billed. */
const SHOWN_MESSAGES = 'ui_messages.json';

/** A request that the editor shows; one that came to nothing has no counts. */
interface ShownRequest {
  readonly at: string | undefined;
  readonly model: string | undefined;
  readonly counts: Counts | undefined;
}

interface Counts {
  /** Written by Roo Code and Kilo Code alone. */
  readonly protocol: string | undefined;
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly written: number;
  readonly cost: number;
  readonly provider: JsonRecord;
}

type MessageEntry = Extract<Entry, { readonly type: 'message' }>;

/**
 * Gives the replies of a task the bills that stand in `ui_messages.json` alone: by their times, and replies without one by their order if there are
 * as many requests. Bills of no reply (requests that were sent again or taken back) are counted as unused.
 */
export async function withTaskBills(
  path: string,
  imported: ImportedSession,
  { signal }: Pick<ImportOptions, 'signal'> = {},
): Promise<ImportedSession> {
  const [main, ...others] = imported.threads;
  if (basename(path) !== TASK_MESSAGES || main === undefined) return imported;
  const replies = main.entries.filter(isReply);
  if (replies.every(({ message }) => message.response?.usage !== undefined)) return imported;
  const file = join(dirname(path), SHOWN_MESSAGES);
  const shown = await listAt(file, signal);
  if (shown === undefined) return imported;
  if (shown === 'damaged') {
    const text = 'the bills of the task cannot be read';
    const problem = { line: 1, kind: 'unreadable-file', text, file } as const;
    return { ...imported, problems: [...imported.problems, problem] };
  }
  const context = createContext(file);
  const requests = shown.flatMap((message) => requestIn(message, context));
  const billOf = billing(requests);
  const found = matched(replies, requests);
  const entries = main.entries.map((entry) => {
    const request = found.get(entry.id);
    const usage = request && billOf(request);
    return usage === undefined || entry.type !== 'message'
      ? entry
      : { ...entry, message: billed(entry.message, usage, request?.model, imported.name) };
  });
  const isBill = ({ counts }: ShownRequest): boolean => counts !== undefined;
  const left = requests.filter(isBill).length - [...found.values()].filter(isBill).length;
  const unused = left === 0 ? {} : { [`${SHOWN_MESSAGES}/usage`]: left };
  return {
    ...imported,
    threads: [{ ...main, entries }, ...others],
    unused: { ...imported.unused, ...Object.fromEntries(context.counts), ...unused },
    problems: [...imported.problems, ...context.problems.map((each) => ({ ...each, file }))],
  };
}

const isReply = (entry: Entry): entry is MessageEntry =>
  entry.type === 'message' &&
  entry.message.role === 'assistant' &&
  entry.message.origin === undefined;

/** Undefined where there is no such file; one that may not be read, or is a folder or a pipe, is as a damaged one. */
async function listAt(
  file: string,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[] | 'damaged' | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readChunks(file, { name: file })) {
      signal?.throwIfAborted();
      chunks.push(new Uint8Array(chunk)); // its memory is used again
    }
  } catch (error) {
    if (!TranscriptError.is(error)) throw error;
    return error.code === 'not-found' ? undefined : 'damaged';
  }
  const value = parsed(Buffer.concat(chunks).toString('utf8'));
  return Array.isArray(value) ? value : 'damaged';
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function requestIn(message: unknown, context: ImportContext): readonly ShownRequest[] {
  if (!isRecord(message) || message.say !== 'api_req_started') return [];
  return [
    {
      at: timeOf(message.ts),
      model: textOf(recordOf(message.modelInfo).modelId),
      counts: countsIn(textOf(message.text) && (parsed(message.text) ?? message.text), context),
    },
  ];
}

const BILL = {
  always: [],
  others: ['tokensIn', 'tokensOut', 'cacheReads', 'cacheWrites'],
  details: ['cost'],
  mayBeEmpty: true,
};

function countsIn(shown: unknown, context: ImportContext): Counts | undefined {
  const bill = readBill(shown, BILL, { context, line: 1 });
  if (bill === undefined) return undefined;
  const { request: _, ...provider } = bill.fields;
  const count = (name: string): number => bill.count(name) ?? 0;
  const [input, output] = [count('tokensIn'), count('tokensOut')];
  const [read, written] = [count('cacheReads'), count('cacheWrites')];
  if (input + output + read + written === 0) return undefined;
  const protocol = textOf(provider.apiProtocol);
  return { protocol, input, output, read, written, cost: count('cost'), provider };
}

/**
 * The usage of a request. Versions differ in whether what was read from the cache and written to it is within the input. A bill that proves
 * it is taken so; others as all of the task with the same protocol that prove it, else as the agent has it: Cline beside, Roo Code and Kilo Code within.
 */
function billing(requests: readonly ShownRequest[]): (request: ShownRequest) => Usage | undefined {
  const proofs = new Map<string | undefined, Set<boolean>>();
  for (const { counts } of requests) {
    const proof = counts && isWithin(counts);
    if (proof === undefined) continue;
    proofs.set(counts?.protocol, (proofs.get(counts?.protocol) ?? new Set()).add(proof));
  }
  return ({ counts }) => {
    if (counts === undefined) return undefined;
    const { protocol, input, output, read, written, provider } = counts;
    const [proof, other] = [...(proofs.get(protocol) ?? [])];
    const ofTask = other === undefined ? proof : undefined;
    const within = isWithin(counts) ?? ofTask ?? protocol !== undefined;
    return {
      input_tokens: within ? Math.max(0, input - read - written) : input,
      output_tokens: output,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      provider_usage: provider,
    };
  };
}

/** Whether the cache is within the input, where a bill proves it: by more in the cache than in all, or by what it cost. */
function isWithin({ input, output, read, written, cost }: Counts): boolean | undefined {
  const cached = read + written;
  if (cached === 0) return undefined;
  if (input < cached) return false;
  const isListPrice = (fresh: number): boolean => {
    const cents = (cost * 100 * 1_000_000) / (fresh + 1.25 * written + 0.1 * read + 5 * output);
    return cents > 0.5 && Math.abs(cents - Math.round(cents)) < NEARLY_WHOLE;
  };
  // Claude's prices: each kind of token a fixed multiple of the input's, which is whole cents a million
  const [within, beside] = [isListPrice(input - cached), isListPrice(input)];
  return within === beside ? undefined : within;
}

const NEARLY_WHOLE = 1e-6;

/** The request of each reply by the id of its entry. */
function matched(
  replies: readonly MessageEntry[],
  requests: readonly ShownRequest[],
): ReadonlyMap<string, ShownRequest> {
  const isTimed = requests.every(({ at }) => at !== undefined);
  const ordered = isTimed ? requests.toSorted(byTime) : requests;
  const found = new Map<string, ShownRequest>();
  let next = 0;
  /** Replies up to one with a time. */
  let waiting: MessageEntry[] = [];
  const place = (until: string | undefined): void => {
    const first = next;
    while (next < ordered.length && !(until !== undefined && timeIn(ordered[next]) > until)) next++;
    const own = ordered.slice(first, next);
    // a request that was sent again before its reply has a bill of its own
    const last = until === undefined ? undefined : own.at(-1);
    const isPaired = own.length === waiting.length;
    for (const [at, { id }] of waiting.entries()) {
      const request = isPaired ? own[at] : at === waiting.length - 1 ? last : undefined;
      if (request !== undefined) found.set(id, request);
    }
    waiting = [];
  };
  for (const reply of replies) {
    const at = isTimed ? reply.message.createdAt : undefined;
    waiting.push(reply);
    if (at === undefined) continue;
    place(at);
  }
  if (waiting.length > 0) place(undefined);
  return found;
}

const timeIn = (request: ShownRequest | undefined): string => request?.at ?? '';

function byTime(one: ShownRequest, other: ShownRequest): number {
  if (timeIn(one) === timeIn(other)) return 0;
  return timeIn(one) < timeIn(other) ? -1 : 1;
}

function billed(message: Message, usage: Usage, model: string | undefined, name: string): Message {
  const { response } = message;
  if (response?.usage !== undefined) return message;
  const known = response ?? { id: `${name}:${message.id}`, stopReason: 'unknown' as const };
  return { ...message, response: { model: model ?? '', ...known, usage } };
}
