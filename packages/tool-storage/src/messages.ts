import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import { checkMessages } from '@varve/messages/foreign';
import type { ShownContent } from './content.ts';
import type { Offloaded, ToolOutput } from './outcome.ts';
import { createQueue } from './queue.ts';
import type { StoreCallOptions } from './store.ts';

export interface OffloadMessagesOptions extends StoreCallOptions {
  /** So many messages were sent before as they are: they are left alone. @default 0 */
  readonly seen?: number | undefined;
}

export interface OffloadMessagesResult<M extends MessageLike> {
  /** The same array when nothing was replaced; the same messages and blocks where nothing was. */
  readonly messages: readonly M[];
  /** What was replaced in this call, in order; not what earlier calls had replaced. */
  readonly outcomes: readonly (Offloaded & { readonly toolUseId: string })[];
}

export interface ResultBlock extends BlockLike {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly BlockLike[];
}

type OffloadRound = (
  outputs: readonly ToolOutput[],
  options: StoreCallOptions,
) => Promise<Offloaded[]>;

interface Parts {
  readonly offloadRound: OffloadRound;
  /** Freezes what a message shows. */
  readonly see: (message: MessageLike) => void;
}

/** Puts previews into plain message arrays. What stood at the same place in the call before costs a comparison. */
export function createMessageOffloading({ offloadRound, see }: Parts) {
  const done = new WeakMap<MessageLike, MessageLike>();
  const queue = createQueue();
  /** The call before: what it was given, and what it showed in their place. */
  const last: { readonly input: MessageLike[]; readonly shown: MessageLike[] } = {
    input: [],
    shown: [],
  };
  /** Where the first message stands that is shown otherwise. */
  let firstChanged = Number.POSITIVE_INFINITY;

  async function convert(messages: readonly MessageLike[], index: number, signal?: AbortSignal) {
    const message = messages[index] as MessageLike;
    const results = resultsOf(message);
    const outputs = results.map((block) => toOutput(block, messages, index));
    const outcomes = results.length === 0 ? [] : await offloadRound(outputs, { signal });
    const byBlock = new Map(results.map((block, at) => [block as BlockLike, outcomes[at]]));
    const changed = outcomes.some(({ content }, at) => content !== outputs[at]?.content);
    done.set(message, changed ? { ...message, content: replace(message, byBlock) } : message);
    return outcomes.map((outcome, at) => ({ ...outcome, toolUseId: outputs[at]?.toolUseId ?? '' }));
  }

  async function pass<M extends MessageLike>(
    messages: readonly M[],
    { seen = 0, signal }: OffloadMessagesOptions,
  ): Promise<OffloadMessagesResult<M>> {
    const outcomes: (Offloaded & { readonly toolUseId: string })[] = [];
    const from = commonLength(last.input, messages);
    checkMessages(messages, 'messages', from);
    // as it is now: the caller may go on with the list while something is written
    const given = messages.slice();
    forgetFrom(from);
    for (let index = from; index < given.length; index++) {
      const message = given[index] as M;
      if (done.has(message)) continue;
      if (index >= seen) outcomes.push(...(await convert(given, index, signal)));
      else {
        see(message);
        done.set(message, message);
      }
    }
    for (let index = from; index < given.length; index++) remember(given[index] as M);
    const isSame =
      firstChanged === Number.POSITIVE_INFINITY &&
      messages.length === given.length &&
      commonLength(given, messages) === given.length;
    const replaced = outcomes.filter(({ kind }) => kind !== 'kept');
    return { messages: isSame ? messages : (last.shown.slice() as M[]), outcomes: replaced };
  }

  function forgetFrom(length: number): void {
    last.input.length = length;
    last.shown.length = length;
    if (firstChanged >= length) firstChanged = Number.POSITIVE_INFINITY;
  }

  function remember(message: MessageLike): void {
    const shown = done.get(message) ?? message;
    if (shown !== message) firstChanged = Math.min(firstChanged, last.input.length);
    last.input.push(message);
    last.shown.push(shown);
  }

  return <M extends MessageLike>(messages: readonly M[], options: OffloadMessagesOptions = {}) =>
    queue(() => pass(messages, options), options.signal);
}

/** How many of the first items are the same objects; none of what is no list. */
function commonLength(left: readonly unknown[], right: readonly unknown[]): number {
  if (!Array.isArray(right)) return 0;
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length++;
  return length;
}

export function resultsOf({ content }: MessageLike): ResultBlock[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly BlockLike[]).filter(isResult);
}

const isResult = (block: BlockLike): block is ResultBlock => block?.type === 'tool_result';

function toOutput(block: ResultBlock, messages: readonly MessageLike[], index: number): ToolOutput {
  const { tool_use_id: toolUseId, content = '' } = block;
  return { toolUseId, toolName: toolNameOf(toolUseId, messages, index), content };
}

/** The name in the nearest call before: ids may be used again. */
function toolNameOf(id: string, messages: readonly MessageLike[], index: number): string {
  for (let at = index - 1; at >= 0; at--) {
    const { role, content } = messages[at] as MessageLike;
    if (role !== 'assistant' || !Array.isArray(content)) continue;
    const call = (content as readonly Fields[]).find(
      (block) => block?.type === 'tool_use' && block.id === id,
    );
    if (call !== undefined) return String(call.name);
  }
  return '';
}

type Fields = Readonly<Record<string, unknown>>;

function replace(
  { content }: MessageLike,
  outcomes: ReadonlyMap<BlockLike, Offloaded | undefined>,
): ShownContent {
  return (content as readonly BlockLike[]).map((block) => {
    const outcome = outcomes.get(block);
    return outcome === undefined || outcome.content === ((block as ResultBlock).content ?? '')
      ? block
      : { ...block, content: outcome.content };
  });
}
