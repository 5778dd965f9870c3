import { createHash } from 'node:crypto';
import { type Message, promptTokens, type Usage } from '@varve/messages';
import { type ModelInfo, priceUsage } from '@varve/tokens';
import type { ImportedThread, ImportSignal } from '@varve/transcript/import';

/** One reply of a model as a file holds it: what tells it from others, and its bill. */
export interface RecordedReply {
  /** Of its id, where providers do not make it with what it says and what stood before; null where the agent gave it none. */
  readonly idKey: string | null;
  /** Of all that was said until then, of a reply with an id also of when: an agent may give the copies of a fork new ids. */
  readonly chainKey: string;
  /**
   * Of its own record alone, so that damage to others does not change it: of when it was given, and of its id or what it says; without a
   * time of its id and its bill. Undefined where the file has neither.
   */
  readonly ownKey?: string;
  /** Of that and the message that it answers. */
  readonly askedKey?: string;
  readonly model: string;
  /** Null without a bill. */
  readonly bill: Bill | null;
  /** In the conversation; false for one that is billed beside it, such as that of a summary. */
  readonly isMessage: boolean;
  /** Of an agent's own total: the requests in it. */
  readonly covers?: number;
}

/** What a reply was billed, at list prices. */
export interface Bill {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** Without a known rate: not in `dollars`. */
  readonly unpricedTokens: number;
}

/** The replies of a thread in their order. `name` is what the session was imported under. */
export function recordedReplies(
  { entries }: Pick<ImportedThread, 'entries'>,
  name: string,
  models: readonly ModelInfo[] = [],
): readonly RecordedReply[] {
  const replies: RecordedReply[] = [];
  const uses = usesOfIds(entries);
  let [said, timed] = ['', ''];
  let before: readonly string[] = [];
  const ownKeys = createOwnKeys();
  /** Replies billed beside the conversation since its last message. */
  let beside = 0;
  for (const entry of entries) {
    if (entry.type === 'note') {
      const total = totalOf(entry.data as ImportSignal | undefined, models);
      if (total !== undefined)
        replies.push({
          ...{ ...total, idKey: null, chainKey: digest(['total', said, total]) },
          ...ownKeys.next(['total', entry.at, total]),
        });
      const response = billedBeside(entry.data as ImportSignal | undefined);
      if (response === undefined) continue;
      const { id, model, usage } = response;
      const idKey = isOwnId(id, name) ? digest(['beside', id]) : null;
      const chainKey = digest(['beside', said, idKey ?? beside]);
      beside += 1;
      const bill = billOf(usage as Usage | undefined, model, models);
      const own = ownKeys.next(['beside', entry.at, idKey ?? bill]);
      replies.push({ idKey, chainKey, ...own, model, bill, isMessage: false });
    }
    if (entry.type !== 'message') continue;
    const { role, content, response, origin, createdAt } = entry.message;
    const own = digest([role, content]);
    said = digest([said, own]);
    timed = digest([timed, own, createdAt]);
    beside = 0;
    if (isFromModel(entry.message)) {
      const { id = '', model = '', usage } = response ?? {};
      const isUnique = UNIQUE_ID.test(id) && uses.get(id) === 1;
      const key = isUnique ? [id] : [id, ...before, own];
      const idKey = isOwnId(id, name) ? digest(key) : null;
      const chainKey = idKey === null ? said : timed;
      const bill = billOf(usage, model, models);
      const ownId = idKey === null ? undefined : id;
      const mark = createdAt ?? (ownId === undefined || bill === null ? undefined : bill);
      const keys =
        mark === undefined ? {} : withAsked(ownKeys.next([mark, ownId ?? own]), before.at(-1));
      replies.push({ idKey, chainKey, ...keys, model, bill, isMessage: true });
    }
    if (origin?.kind !== 'synthetic') before = [...before, own].slice(-MESSAGES_BEFORE);
  }
  return replies;
}

/** What providers make; others are counted up in each session, and say something only together with the messages before. */
const UNIQUE_ID = /^[\w.-]{20,}$/;
const MESSAGES_BEFORE = 4;

const withAsked = (key: { readonly ownKey: string }, asked: string | undefined) => ({
  ...key,
  askedKey: digest([key.ownKey, asked]),
});

/** Those that are alike in one thread are told by their number: no copy of each other. */
function createOwnKeys() {
  const uses = new Map<string, number>();
  return {
    next(marks: readonly unknown[]): { readonly ownKey: string } {
      const print = digest(marks);
      const use = (uses.get(print) ?? 0) + 1;
      uses.set(print, use);
      return { ownKey: use === 1 ? print : `${print} ${use}` };
    },
  };
}

function usesOfIds(entries: ImportedThread['entries']): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const entry of entries) {
    const id = entry.type === 'message' ? entry.message.response?.id : undefined;
    if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}

/** What an agent says that its requests came to, where it tells of none by itself. */
function totalOf(signal: ImportSignal | undefined, models: readonly ModelInfo[]) {
  if (signal?.kind !== 'usage-total') return undefined;
  const { model, requests, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = signal;
  const cached = cacheReadTokens + cacheWriteTokens;
  const usage = {
    // Copilot CLI counts what was cached among its input
    input_tokens: inputTokens >= cached ? inputTokens - cached : inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
  return { model, bill: billOf(usage, model, models), isMessage: false, covers: requests ?? 1 };
}

const isFromModel = ({ role, origin }: Message): boolean =>
  role === 'assistant' && origin === undefined;

function billedBeside(signal: ImportSignal | undefined) {
  const isBilled = signal?.kind === 'empty-reply' || signal?.kind === 'compaction-request';
  return isBilled ? signal.response : undefined;
}

/** Where a file has no ids the import makes some, of its name or of what was said so far. */
const isOwnId = (id: string, name: string): boolean =>
  id !== '' && !id.startsWith(`${name}:`) && !id.startsWith('said-') && !id.includes('REDACTED');

function billOf(
  usage: Usage | undefined,
  model: string,
  models: readonly ModelInfo[],
): Bill | null {
  if (usage === undefined) return null;
  const prompt = promptTokens(usage);
  if (!(prompt > 0)) return null;
  const { dollars, unpricedTokens } = priceUsage(usage, model, { models });
  return { promptTokens: prompt, outputTokens: usage.output_tokens, dollars, unpricedTokens };
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
