import { type Block, isText, type OpenRound } from '@varve/messages';
import type { Offloaded, ToolStorage } from '@varve/tool-storage';
import type { Tell } from './event.ts';
import type { ShownOutput, ToolOutput } from './options.ts';

export interface OffloadingOptions {
  readonly storage: ToolStorage | undefined;
  readonly tell: Tell;
}

interface RoundOptions {
  readonly open: OpenRound | undefined;
  /** Of the tools, by call. */
  readonly names: ReadonlyMap<string, string>;
  readonly signal: AbortSignal | undefined;
}

/** Puts what is too large into a storage, before it becomes a message; without a storage everything stays. */
export function createOffloading({ storage, tell }: OffloadingOptions) {
  return {
    /** The blocks of a person's message with the given id. */
    async ofPerson(
      blocks: readonly Block[],
      { id, signal }: { readonly id: string; readonly signal: AbortSignal | undefined },
    ): Promise<readonly Block[]> {
      if (storage === undefined) return blocks;
      const shown: Block[] = [];
      for (const [index, block] of blocks.entries()) {
        shown.push(isText(block) ? await offloadText(block, `${id}-${index}`) : block);
      }
      return shown;

      async function offloadText(block: Block & { readonly text: string }, textId: string) {
        const text = { id: textId, text: block.text };
        const outcome = await (storage as ToolStorage).offloadText(text, { signal });
        tellFailure(outcome, tell);
        return outcome.kind === 'kept' ? block : { ...block, text: outcome.content as string };
      }
    },

    /** Outputs of a round, decided together with those that arrived before: they share a message and its budget. */
    async ofTools(
      outputs: readonly ToolOutput[],
      { open, names, signal }: RoundOptions,
    ): Promise<readonly ShownOutput[]> {
      if (storage === undefined) return outputs.map(asShown);
      const earlier = (open?.results ?? []).map(({ tool_use_id: toolUseId, content = '' }) => ({
        toolUseId,
        content,
      }));
      const round = [...earlier, ...outputs].map(({ toolUseId, content }) => ({
        toolUseId,
        toolName: names.get(toolUseId) ?? '',
        content,
      }));
      const outcomes = (await storage.offloadRound(round, { signal })).slice(earlier.length);
      for (const outcome of outcomes) tellFailure(outcome, tell);
      return outputs.map((output, index) => ({
        ...output,
        content: (outcomes[index] as Offloaded).content as ShownOutput['content'],
      }));
    },
  };
}

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
