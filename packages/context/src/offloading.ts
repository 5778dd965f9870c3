import { isRecord, listOf, recordOf, textOf } from '@varve/guards';
import { type Block, isText, type OpenRound } from '@varve/messages';
import { cutMiddle } from '@varve/messages/text';
import type { ToolStorage } from '@varve/tool-storage';
import type { Tell } from './event.ts';
import type { ShownOutput, ToolOutput } from './options.ts';
import { refuseMessage } from './refuse-too-large.ts';
import { type Room, sumOf, tooLarge, unitsOf } from './room-for.ts';

type Offloaded = Awaited<ReturnType<ToolStorage['offload']>>;

export interface OffloadingOptions {
  readonly storage: ToolStorage | undefined;
  readonly room: Room;
  readonly tell: Tell;
}

interface RoundOptions {
  readonly open: OpenRound | undefined;
  /** Of the tools, by call. */
  readonly names: ReadonlyMap<string, string>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Puts what is too large into a storage, before it becomes a message. Beside the storage's own thresholds, which are mostly
 * in characters, counts what the content takes in tokens: dense text, such as base64 or Chinese, fills a window with a third
 * of the characters. Without a storage a message that could never be sent is refused, and a result that could not is cut.
 */
export function createOffloading({ storage, room, tell }: OffloadingOptions) {
  return {
    /**
     * The blocks of a person's message with the given id.
     *
     * @throws ContextError `message-too-large`
     */
    async ofPerson(
      blocks: readonly Block[],
      { id, signal }: { readonly id: string; readonly signal: AbortSignal | undefined },
    ): Promise<readonly Block[]> {
      const isSmall = room.hasRoom(unitsOf(blocks));
      if (storage === undefined) {
        if (!isSmall) refuseMessage(room.sizeOf(blocks), room.window(), false);
        return blocks;
      }
      const { forced, together, least } = isSmall ? AS_IT_IS : planMessage(blocks, room);
      if (!isSmall) refuseMessage(least, room.window(), true);
      if (together) return offloadBlocks(blocks, id);
      const shown: Block[] = [];
      for (const [index, block] of blocks.entries()) {
        const textId = `${id}-${index}`;
        if (isText(block)) shown.push(await offloadText(block, textId, forced.has(index)));
        else if (forced.has(index)) shown.push(...(await offloadBlocks([block], textId)));
        else shown.push(block);
      }
      if (!isSmall) refuseMessage(room.sizeOf(shown), room.window(), true);
      return shown;

      async function offloadText(
        block: Block & { readonly text: string },
        textId: string,
        isForced: boolean,
      ): Promise<Block> {
        const text = { id: textId, text: block.text };
        const maxTokens = isForced ? 0 : undefined;
        const outcome = await (storage as ToolStorage).offloadText(text, { signal, maxTokens });
        tellFailure(outcome, tell);
        return outcome.kind === 'kept' ? block : { ...block, text: outcome.content as string };
      }

      /** All that can be read of them goes behind one preview. */
      async function offloadBlocks(
        content: readonly Block[],
        toolUseId: string,
      ): Promise<readonly Block[]> {
        const output = { toolUseId, toolName: '', content };
        const outcome = await (storage as ToolStorage).offload(output, { signal, maxTokens: 0 });
        tellFailure(outcome, tell);
        return outcome.content as readonly Block[];
      }
    },

    /** Outputs of a round, decided together with those that arrived before: they share a message and its budget. */
    async ofTools(
      outputs: readonly ToolOutput[],
      { open, names, signal }: RoundOptions,
    ): Promise<readonly ShownOutput[]> {
      const earlier = (open?.results ?? []).map(({ tool_use_id: toolUseId, content = '' }) => ({
        toolUseId,
        content,
      }));
      const all = [...earlier, ...outputs];
      if (storage === undefined) return fitted(outputs.map(asShown));
      const forced = tooLargeResults(all.map(asShown), earlier.length, room);
      const round = all.map(({ toolUseId, content }) => ({
        toolUseId,
        toolName: names.get(toolUseId) ?? '',
        content,
      }));
      // decided one by one first: what is decided stays so when the round is
      for (const index of forced) {
        await storage.offload(round[index] as (typeof round)[number], { signal, maxTokens: 0 });
      }
      const outcomes = (await storage.offloadRound(round, { signal })).slice(earlier.length);
      for (const outcome of outcomes) tellFailure(outcome, tell);
      const shown = outputs.map((output, index) => ({
        ...output,
        content: (outcomes[index] as Offloaded).content as ShownOutput['content'],
      }));
      return fitted(shown, outcomes);

      /** Cuts what could not be made smaller otherwise: a round that is larger than the window could never be sent. */
      function fitted(
        results: readonly ShownOutput[],
        decided: readonly Offloaded[] = [],
      ): readonly ShownOutput[] {
        const earlierOutputs = earlier.map(asShown);
        const units = sumOf(
          [...earlierOutputs, ...results].map(({ content }) => shownUnits(content)),
        );
        if (room.isSmall(units)) return results;
        const most =
          room.atMost() - sumOf(earlierOutputs.map(({ content }) => room.sizeOf(content)));
        const sizes = results.map(({ content }) => room.sizeOf(content));
        const isCuttable = (index: number) => {
          const outcome = decided[index];
          return !outcome || (outcome.kind === 'kept' && outcome.reason !== 'exempt');
        };
        const { gone, share } = cutPlan(sizes, Math.max(0, most), isCuttable);
        if (gone.size > 0)
          tell({
            layer: 'tool-storage',
            kind: 'failed',
            reason: storage ? 'round-too-large' : 'no-storage',
          });
        return results.map((output, index) =>
          gone.has(index) ? { ...output, content: cutContent(output.content, share) } : output,
        );
      }
    },
  };
}

/** What stands in place of a stored text takes about so many tokens at the storage's usual preview. */
const PLACEHOLDER_TOKENS = 700;

const NONE: ReadonlySet<number> = new Set();

interface MessagePlan {
  /** Blocks that go behind a preview of their own. */
  readonly forced: ReadonlySet<number>;
  /** Whether all that can be read goes behind one preview, because previews of single blocks would not be smaller. */
  readonly together: boolean;
  /** What the message takes at least, in tokens. */
  readonly least: number;
}

const AS_IT_IS: MessagePlan = { forced: NONE, together: false, least: 0 };

function planMessage(blocks: readonly Block[], room: Room): MessagePlan {
  const sizes = blocks.map((block) => (canBeRead(block) ? room.sizeOf([block]) : 0));
  const media = room.sizeOf(blocks.filter((block) => !canBeRead(block)));
  const limits = { room: room.forPerson() - media, placeholder: PLACEHOLDER_TOKENS };
  const forced = tooLarge(sizes, limits);
  const shown = sumOf(sizes.map((size, index) => (forced.has(index) ? PLACEHOLDER_TOKENS : size)));
  const least = Math.min(PLACEHOLDER_TOKENS, sumOf(sizes));
  return { forced, together: shown > limits.room && shown > least, least: media + least };
}

/** Texts, and what holds nothing but text: a storage shows it by a preview. */
const canBeRead = ({ type, source }: Block): boolean =>
  type === 'text' ||
  type === 'search_result' ||
  (type === 'document' && isRecord(source) && READABLE.includes(source.type));

const READABLE: readonly unknown[] = ['text', 'content'];

/** Of the outputs from `from` on: what stands before is in the log already. */
function tooLargeResults(
  outputs: readonly ShownOutput[],
  from: number,
  room: Room,
): ReadonlySet<number> {
  if (room.isSmall(sumOf(outputs.map(({ content }) => shownUnits(content))))) return NONE;
  const sizes = outputs.map(({ content }) => room.sizeOf(content));
  const left = Math.max(0, room.forRound() - sumOf(sizes.slice(0, from)));
  const gone = tooLarge(sizes.slice(from), { room: left, placeholder: PLACEHOLDER_TOKENS });
  return new Set([...gone].map((index) => from + index));
}

/** Which results are cut so that all have room, the largest first, and what share of each may stay. */
function cutPlan(
  sizes: readonly number[],
  most: number,
  isCuttable: (index: number) => boolean,
): { readonly gone: ReadonlySet<number>; readonly share: number } {
  const fixed = sumOf(sizes.filter((_, index) => !isCuttable(index)));
  const cuttable = sizes.map((size, index) => (isCuttable(index) ? size : 0));
  const left = Math.max(0, most - fixed);
  const gone = tooLarge(cuttable, { room: left, placeholder: CUT_MARKER_TOKENS });
  const kept = sumOf(cuttable.filter((_, index) => !gone.has(index)));
  const markers = gone.size * CUT_MARKER_TOKENS;
  const share = Math.max(0, left - kept - markers) / Math.max(1, sumOf(cuttable) - kept);
  return { gone, share: Math.min(1, share) };
}

/** Tokens of the notice in place of what was cut. */
const CUT_MARKER_TOKENS = 40;

/** Texts of blocks are cut each, media stay. */
function cutContent(content: ShownOutput['content'], share: number): ShownOutput['content'] {
  const cut = (text: string) =>
    cutMiddle(text, { ...halves(Math.floor(text.length * share)), marker: cutMarker });
  if (typeof content === 'string') return cut(content);
  const readable = content.filter(canBeRead);
  if (readable.length === 0) return content;
  const text = cut(readable.map(readableText).join('\n'));
  const first = content.indexOf(readable[0] as Block);
  return content.flatMap((block, index): Block[] => {
    if (index === first) return [{ type: 'text', text }];
    return canBeRead(block) ? [] : [block];
  });
}

/** What can be read of a block that holds nothing but text. */
function readableText({ text, title, source, content }: Block): string {
  if (typeof text === 'string') return text;
  const { data, content: held = content } = recordOf(source);
  if (typeof data === 'string') return data;
  const inner =
    typeof held === 'string' ? [held] : listOf(held).map((each) => textOf(recordOf(each).text));
  return [textOf(title), ...inner].filter(Boolean).join('\n');
}

const shownUnits = (content: ShownOutput['content']): number =>
  typeof content === 'string' ? content.length : unitsOf(content);

const halves = (units: number) => ({
  headUnits: Math.ceil(units / 2),
  tailUnits: Math.floor(units / 2),
});

const cutMarker = (units: number): string =>
  `\n[${units} characters were cut here: the result was too large for the conversation]\n`;

function tellFailure(outcome: Offloaded, tell: OffloadingOptions['tell']): void {
  const { kind, reason } = outcome;
  if (kind === 'stored') return;
  if (kind === 'kept' && !('cause' in outcome) && !BUDGETS.includes(reason)) return;
  const cause = outcome.cause === undefined ? {} : { cause: outcome.cause };
  tell({ layer: 'tool-storage', kind: 'failed', reason, ...cause });
}

/** Failures without anything that was thrown. */
const BUDGETS: readonly string[] = ['session-budget', 'total-budget'];

const asShown = (output: ToolOutput): ShownOutput => {
  const { content } = output;
  return { ...output, content: content instanceof Uint8Array ? LOOSE.decode(content) : content };
};

const LOOSE = new TextDecoder();
