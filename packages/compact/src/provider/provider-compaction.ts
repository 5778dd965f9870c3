import { checkOptions, expected, integer, number, required } from '@varve/guards';
import type { Block, Message, Request, Usage, ViewMessage } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { fitCall } from '@varve/models/call';
import { acceptSize } from '@varve/tokens/limits';
import { type Attached, askAttachments } from '../full/attachments.ts';
import { callModel } from '../full/call.ts';
import { sumOf } from '../full/draft.ts';
import { type CompactFailure, failureOfCode } from '../full/failure.ts';
import { receiptOf } from '../full/receipt.ts';
import { chooseRegion, type Region } from '../full/region.ts';
import { type Situation, wholeBounds } from '../full/situation.ts';
import { outputBounds } from '../full/summary-request.ts';
import type { RunOptions } from '../plan/compaction.ts';
import { spanEdit } from '../plan/span-edit.ts';
import type { CompactionWork } from '../plan/work.ts';
import type { Compaction, CompactionFailed, Summarize, SummaryReply } from '../types.ts';
import { billOf } from './bill.ts';
import { type ProviderRefusal, readBlock } from './read-block.ts';

/** A reply that brings the messages which go in place of what was compacted, as OpenAI's does. */
export interface ProviderReply extends SummaryReply {
  readonly messages?: readonly MessageLike[];
}

export interface ProviderOptions {
  /**
   * `anthropic`: compaction on demand; `send` of `@varve/models` fits. `openai`: `createOpenAICompact` of
   * `@varve/models/openai` fits.
   */
  readonly provider: 'anthropic' | 'openai';
  readonly call: (...parameters: Parameters<Summarize>) => Promise<ProviderReply>;
  /**
   * In place of the provider's own prompt; at most 16,384 characters. Sent to `anthropic`; with `openai` those that
   * `createOpenAICompact` was given, which are only counted.
   */
  readonly instructions?: string | undefined;
  /** The most output of the provider's summary, in tokens. @default 20_000 */
  readonly maxSummaryTokens?: number | undefined;
  /** The share of what is replaced that has to be saved at least, from 0 to 1. @default 0.1 */
  readonly minSavings?: number | undefined;
  /** Places the cache markers of the request. */
  readonly mark?: ((request: Request) => Request) | undefined;
  /** Where the originals are, in the caller's words. */
  readonly originals?: string | undefined;
}

/** Has the provider compact a conversation that `planNow` of the compactor planned. Appends nothing. */
export type RunProviderCompaction = (
  work: CompactionWork,
  options?: RunOptions,
) => Promise<Compaction | CompactionFailed<CompactFailure | ProviderRefusal>>;

/**
 * Creates the engine. What it makes is an edit like that of any other; the block in it is the object that came, and what it
 * cost stands in the receipt. There are no retries: a failure leads to the next engine. What does not fit the window beside a
 * summary is not sent: `prompt-too-long`, without a call.
 *
 * @throws RangeError for instructions that are too long.
 */
export function createProviderCompaction(options: ProviderOptions): RunProviderCompaction {
  checkOptions<ProviderOptions>(options, EXPECTED);
  const { call, instructions = '' } = options;
  if (instructions.length > MOST_INSTRUCTIONS) {
    const what = `a text of at most ${MOST_INSTRUCTIONS} characters`;
    throw expected('instructions', { what, error: RangeError }, instructions.length);
  }
  return async (work, { signal, attach } = {}) => {
    const chosen = chooseRegion(work.situation, { keepTokens: 0, minSavings: 0 });
    if (chosen.kind === 'none') return { kind: 'failed', reason: chosen.reason, calls: 0 };
    const { region } = chosen;
    const kept = [...region.open, ...region.tail];
    const isStuck =
      options.provider === 'anthropic' && asks(work.situation.messages) && !asks(kept);
    if (isStuck) return { kind: 'failed', reason: 'nothing-to-answer', calls: 0 };
    const request = requestFor(work.situation, region, options);
    if (request === undefined) return { kind: 'failed', reason: 'prompt-too-long', calls: 0 };
    const outcome = await callModel(call, request, signal);
    if (outcome.kind === 'error') {
      const { error } = outcome;
      return { kind: 'failed', reason: failureOfCode(error.code), cause: error, calls: 1 };
    }
    const reply: ProviderReply = outcome.reply;
    const done = settleReply(reply, { situation: work.situation, region, options });
    const usage = billOf(reply);
    if (done.kind === 'failed') return { ...done, calls: 1, ...(usage && { usage }) };
    const { situation } = work;
    const { minSavings = MIN_SAVINGS } = options;
    const attachments = await askAttachments(attach, kept, {
      ...{ situation, minSavings, signal, tokensAfter: done.tokensAfter },
      sizeOf: situation.sizeOf,
    });
    const made = { ...done, region, usage, attachments };
    const { edit, receipt } = toEdit(made, work, options);
    const { roomTokens } = acceptSize(receipt.tokensAfter, wholeBounds(situation, minSavings));
    return { kind: 'compacted', edit, receipt, summary: textOf(done.block), roomTokens };
  };
}

/** Whether a conversation ends with something for the model to answer. The block is the model's, and cannot be the end. */
const asks = (messages: readonly Message[]): boolean =>
  messages.findLast(({ role }) => role !== 'system')?.role === 'user';

const EXPECTED = {
  provider: required(['anthropic', 'openai']),
  call: required('a function'),
  instructions: 'a text',
  maxSummaryTokens: integer(1),
  minSavings: number({ min: 0, below: 1 }),
  mark: 'a function',
} as const;

const MIN_SAVINGS = 0.1;

/** API reference, "Compaction on demand". */
const MOST_INSTRUCTIONS = 16_384;

/**
 * Head and messages as the conversation's own requests have them, up to where it is compacted. Undefined where the window has
 * no room for them and a summary.
 */
function requestFor(
  situation: Situation,
  region: Region,
  options: ProviderOptions,
): Request | undefined {
  const { head, messages, maxOutputTokens, tokenizer, windowTokens } = situation;
  const {
    provider,
    instructions,
    maxSummaryTokens = 20_000,
    mark = (request) => request,
  } = options;
  const source = { head, windowTokens, maxOutputTokens, tokenizer, maxSummaryTokens };
  const bounds = outputBounds(promptTokens(situation, region, options), maxSummaryTokens, source);
  if (bounds.kind === 'prompt-too-large') return undefined;
  const compaction = { type: 'summarize', ...(instructions && { instructions }) };
  const asked: Request = {
    head: withoutManagement(head),
    messages: messages.slice(0, region.end),
    markers: [],
    ...(provider === 'anthropic' && { server: { compaction } }),
    maxOutputTokens: maxSummaryTokens,
  };
  return mark(fitCall(asked, { answer: 'text', answerTokens: maxSummaryTokens, ...bounds }));
}

/** Tokens of the prompt that the provider reads. */
function promptTokens(situation: Situation, { end }: Region, options: ProviderOptions): number {
  const { messages, overheadTokens, sizeOf, sizeOfText } = situation;
  const { provider, instructions = '' } = options;
  const besideTokens = provider === 'openai' ? withoutTools(situation) : overheadTokens;
  return besideTokens + sumOf(messages.slice(0, end), sizeOf) + sizeOfText(instructions);
}

/** OpenAI's endpoint reads the system prompt among the messages, and takes no tools. */
function withoutTools({ head, overheadTokens, sizeOfHead }: Situation): number {
  const systemTokens = sizeOfHead({ ...head, tools: [] });
  return Math.max(systemTokens, overheadTokens - (sizeOfHead(head) - systemTokens));
}

/** The API takes no context management beside a compaction on demand ("Compaction on demand"). */
function withoutManagement(head: Situation['head']): Situation['head'] {
  const { context_management: management, ...params } = head.params;
  return management === undefined ? head : { ...head, id: `${head.id}:compaction`, params };
}

interface Reading {
  readonly situation: Situation;
  readonly region: Region;
  readonly options: ProviderOptions;
}

type SpanMessage = Omit<Message, 'id'>;

interface Settled {
  readonly kind: 'accepted';
  readonly block: Block;
  /** What stands in place of the span, without ids. */
  readonly span: readonly SpanMessage[];
  readonly tokensAfter: number;
}

type SettleReply =
  | Settled
  | { readonly kind: 'failed'; readonly reason: CompactFailure | ProviderRefusal };

/** OpenAI gives back the user's messages too; with Anthropic's block those that are not done stay behind it. */
function settleReply(reply: ProviderReply, { situation, region, options }: Reading): SettleReply {
  const read = readBlock(reply);
  if (read.kind === 'refused') return { kind: 'failed', reason: read.reason };
  const { block } = read;
  const given = reply.messages as Settled['span'] | undefined;
  const span = given ?? [{ role: 'assistant', content: [block] }, ...region.open];
  const tokens = situation.sizeOf({
    id: 'block',
    role: 'assistant',
    content: [readable(block, reply)],
  });
  const { minSavings = MIN_SAVINGS } = options;
  const part = acceptSize(tokens, { ofTokens: region.replacedTokens, minSavings });
  if (part.kind === 'refused') return { kind: 'failed', reason: part.reason };
  const words = given?.filter(({ role }) => role === 'user') ?? [];
  const wordTokens = sumOf(
    words.map((message, index) => ({ id: `${index}`, ...message })),
    situation.sizeOf,
  );
  const keptTokens = given ? sumOf(region.tail, situation.sizeOf) + wordTokens : region.keptTokens;
  const tokensAfter = situation.overheadTokens + tokens + keptTokens;
  const whole = acceptSize(tokensAfter, wholeBounds(situation, minSavings));
  if (whole.kind === 'refused') return { kind: 'failed', reason: whole.reason };
  return { kind: 'accepted', block, span, tokensAfter };
}

/** Anthropic's text; nothing of an opaque block. */
function textOf(block: Block): string {
  const { content } = block as { readonly content?: unknown };
  return typeof content === 'string' ? content : '';
}

/** What of a block the model reads; of an opaque one as many words as were written. */
function readable(block: Block, { usage }: ProviderReply): Block {
  const text = textOf(block) || 'word '.repeat(usage?.output_tokens ?? 0);
  return { type: 'text', text };
}

interface Made extends Settled {
  readonly region: Region;
  readonly usage: Usage | undefined;
  readonly attachments: Attached<Message>;
}

function toEdit(
  made: Made,
  work: CompactionWork,
  { originals }: ProviderOptions,
): Pick<Compaction, 'edit' | 'receipt'> {
  const { situation, trigger, reason, idPrefix } = work;
  const { region, usage, span, tokensAfter } = made;
  const messages = situation.messages as readonly ViewMessage[];
  const { attached, attachedTokens, leftOutTokens } = made.attachments;
  const written = span.map((message, index) => toMessage(message, `${idPrefix}-provider-${index}`));
  const done = {
    engine: 'provider',
    region,
    calls: 1,
    repaired: {},
    omitted: 0,
    tokensAfter,
  } as const;
  const receipt = receiptOf({ ...done, ...(usage && { usage }) }, situation, {
    ...{
      trigger,
      reason,
      originals,
      attachedTokens,
      leftOutTokens,
      anchorId: written.at(-1)?.id ?? '',
    },
  });
  const edit = spanEdit(messages, { end: region.end }, { with: written, then: attached });
  return { edit, receipt };
}

function toMessage(message: SpanMessage, id: string): Message {
  const { role, content, createdAt } = message;
  const isBlock = content.some(({ type }) => type === 'compaction');
  const origin = isBlock ? ({ kind: 'summary', engine: 'provider' } as const) : message.origin;
  return { id, role, content, ...(origin && { origin }), ...(createdAt && { createdAt }) };
}
