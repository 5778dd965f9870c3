import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord, recordOf } from '@varve/guards';
import type { Entry, Message, Usage } from '@varve/messages';
import { countOf, type JsonRecord, textOf, timeOf } from '../import/json.ts';
import type { ImportedSession } from '../import/types.ts';

/** What the model saw of a task of Cline, Roo Code or Kilo Code; the other JSON files of its folder are about it. */
export const TASK_MESSAGES = 'api_conversation_history.json';

/** What the editor shows of a task, with what each request was billed. */
const SHOWN_MESSAGES = 'ui_messages.json';

interface TaskBill {
  readonly at: string | undefined;
  readonly model: string | undefined;
  readonly usage: Usage;
}

type MessageEntry = Extract<Entry, { readonly type: 'message' }>;

/**
 * Gives the replies of a task the bills that stand in `ui_messages.json` alone: by their times, or where the file has none by their order if there are
 * as many. Bills of no reply (summaries, requests that were taken back) are counted as unused.
 */
export async function withTaskBills(
  path: string,
  imported: ImportedSession,
): Promise<ImportedSession> {
  const [main, ...others] = imported.threads;
  if (basename(path) !== TASK_MESSAGES || main === undefined) return imported;
  const replies = main.entries.filter(isReply);
  if (replies.every(({ message }) => message.response?.usage !== undefined)) return imported;
  const file = join(dirname(path), SHOWN_MESSAGES);
  const shown = await listAt(file);
  if (shown === undefined) return imported;
  if (shown === 'damaged') {
    const text = 'the bills of the task cannot be read';
    const problem = { line: 1, kind: 'unreadable-file', text, file } as const;
    return { ...imported, problems: [...imported.problems, problem] };
  }
  const bills = shown.flatMap(billOf);
  const found = matched(replies, bills);
  const entries = main.entries.map((entry) => {
    const bill = found.get(entry.id);
    return bill === undefined || entry.type !== 'message'
      ? entry
      : { ...entry, message: billed(entry.message, bill, imported.name) };
  });
  const left = bills.length - found.size;
  const unused = left === 0 ? {} : { [`${SHOWN_MESSAGES}/usage`]: left };
  return {
    ...imported,
    threads: [{ ...main, entries }, ...others],
    unused: { ...imported.unused, ...unused },
  };
}

const isReply = (entry: Entry): entry is MessageEntry =>
  entry.type === 'message' &&
  entry.message.role === 'assistant' &&
  entry.message.origin === undefined;

/** Undefined where there is no such file. */
async function listAt(file: string): Promise<readonly unknown[] | 'damaged' | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const value = parsed(text);
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

/** A request that came to nothing has no counts. */
function billOf(message: unknown): readonly TaskBill[] {
  if (!isRecord(message) || message.say !== 'api_req_started') return [];
  const counts = recordOf(parsed(message.text));
  const usage = usageOf(counts);
  const tokens = usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
  if (tokens + (usage.cache_creation_input_tokens ?? 0) + usage.output_tokens === 0) return [];
  return [{ at: timeOf(message.ts), model: textOf(recordOf(message.modelInfo).modelId), usage }];
}

/** In the protocol of OpenAI what was read from the cache is among the input. */
function usageOf(counts: JsonRecord): Usage {
  const [input, read, written] = ['tokensIn', 'cacheReads', 'cacheWrites'].map(
    (name) => countOf(counts[name]) ?? 0,
  ) as [number, number, number];
  const isAmong = counts.apiProtocol === 'openai';
  const { request: _, ...provider } = counts;
  return {
    input_tokens: isAmong ? Math.max(0, input - read - written) : input,
    output_tokens: countOf(counts.tokensOut) ?? 0,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    provider_usage: provider,
  };
}

/** The bill of each reply by the id of its entry. */
function matched(
  replies: readonly MessageEntry[],
  bills: readonly TaskBill[],
): ReadonlyMap<string, TaskBill> {
  const isTimed =
    replies.every(({ message }) => message.createdAt !== undefined) &&
    bills.every(({ at }) => at !== undefined);
  const found = new Map<string, TaskBill>();
  let before = '';
  for (const [place, { id, message }] of replies.entries()) {
    const at = message.createdAt ?? '';
    // a request that was sent again before its reply has a bill of its own
    const bill = isTimed
      ? bills.findLast((each) => (each.at ?? '') > before && (each.at ?? '') <= at)
      : bills.length === replies.length
        ? bills[place]
        : undefined;
    if (bill !== undefined) found.set(id, bill);
    before = at;
  }
  return found;
}

function billed(message: Message, { model, usage }: TaskBill, name: string): Message {
  const { response } = message;
  if (response?.usage !== undefined) return message;
  const known = response ?? { id: `${name}:${message.id}`, stopReason: 'unknown' as const };
  return { ...message, response: { model: model ?? '', ...known, usage } };
}
