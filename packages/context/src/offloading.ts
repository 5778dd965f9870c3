import { type Block, cutMiddle, isText, type OpenRound } from '@varve/messages';
import type { Offloaded, ToolStorage } from '@varve/tool-storage';
import { ContextError } from './error.ts';
import type { Tell } from './event.ts';
import type { ShownOutput, ToolOutput } from './options.ts';
import { type Room, tooLarge, unitsOf } from './room-for.ts';

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
      const isSmall = room.isSmall(unitsOf(blocks));
      if (storage === undefined) {
        if (!isSmall) refuseTooLarge(blocks, room);
        return blocks;
      }
      const forced = isSmall ? NONE : tooLargeTexts(blocks, room);
      const shown: Block[] = [];
      for (const [index, block] of blocks.entries()) {
        if (!isText(block)) shown.push(block);
        else shown.push(await offloadText(block, `${id}-${index}`, forced.has(index)));
      }
      if (!isSmall) refuseTooLarge(shown, room);
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
      const most = storage ? room.forRound() : room.atMost();
      const { forced, share } = tooLargeResults(all.map(asShown), earlier.length, { room, most });
      if (storage === undefined) return outputs.map(asShown).map(cutForced);
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
      return outputs.map((output, index) => ({
        ...output,
        content: (outcomes[index] as Offloaded).content as ShownOutput['content'],
      }));

      function cutForced(output: ShownOutput, index: number): ShownOutput {
        const { content } = output;
        if (!forced.has(earlier.length + index) || typeof content !== 'string') return output;
        const units = Math.floor(content.length * share);
        tell({ layer: 'tool-storage', kind: 'failed', reason: 'no-storage' });
        return { ...output, content: cutMiddle(content, { ...halves(units), marker: cutMarker }) };
      }
    },
  };
}

/** What stands in place of a stored text takes about so many tokens at the storage's usual preview. */
const PLACEHOLDER_TOKENS = 700;

const NONE: ReadonlySet<number> = new Set();

function tooLargeTexts(blocks: readonly Block[], room: Room): ReadonlySet<number> {
  const texts = blocks.map((block) => (isText(block) ? room.sizeOf(block.text) : 0));
  const media = room.sizeOf(blocks.filter((block) => !isText(block)));
  const limits = { room: room.forPerson() - media, placeholder: PLACEHOLDER_TOKENS };
  return tooLarge(texts, limits);
}

/** Of the outputs from `from` on: what stands before is in the log already. `share` is what of each that goes may stay. */
function tooLargeResults(
  outputs: readonly ShownOutput[],
  from: number,
  { room, most }: { readonly room: Room; readonly most: number },
): { readonly forced: ReadonlySet<number>; readonly share: number } {
  const units = outputs.reduce((sum, { content }) => sum + shownUnits(content), 0);
  if (room.isSmall(units)) return { forced: NONE, share: 1 };
  const sizes = outputs.map(({ content }) => room.sizeOf(content));
  const sum = (all: readonly number[]) => all.reduce((total, size) => total + size, 0);
  const fresh = sizes.slice(from);
  const left = Math.max(0, most - sum(sizes.slice(0, from)));
  const gone = tooLarge(fresh, { room: left, placeholder: PLACEHOLDER_TOKENS });
  const kept = sum(fresh.filter((_, index) => !gone.has(index)));
  const share = Math.max(0, left - kept) / Math.max(1, sum(fresh) - kept);
  return { forced: new Set([...gone].map((index) => from + index)), share: Math.min(1, share) };
}

const shownUnits = (content: ShownOutput['content']): number =>
  typeof content === 'string' ? content.length : unitsOf(content);

function refuseTooLarge(blocks: readonly Block[], room: Room): void {
  const [tokens, most] = [room.sizeOf(blocks), room.atMost()];
  if (tokens < most) return;
  const text = `The message takes about ${tokens} tokens, and the conversation has room for ${Math.max(0, most)} beside what nobody has answered yet. Pass \`storage\` to \`createContext\`, so that it is shown by a preview, or send less of it.`;
  throw new ContextError('message-too-large', text);
}

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
