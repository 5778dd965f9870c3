import { type Block, isText } from '@varve/messages';
import type { ToolStorage } from '@varve/tool-storage';
import type { ToolOutput } from './options.ts';

/** A tool's output as it stands in the log. */
export interface ShownOutput extends ToolOutput {
  readonly content: string | readonly Block[];
}

/** Puts what is too large into a storage, before it becomes a message; without a storage everything stays. */
export function createOffloading(storage: ToolStorage | undefined) {
  return {
    /** The blocks of a person's message with the given id. */
    async ofPerson(
      blocks: readonly Block[],
      id: string,
      signal: AbortSignal | undefined,
    ): Promise<readonly Block[]> {
      if (storage === undefined) return blocks;
      const shown: Block[] = [];
      for (const [index, block] of blocks.entries()) {
        if (!isText(block)) {
          shown.push(block);
          continue;
        }
        const text = { id: `${id}-${index}`, text: block.text };
        const { kind, content } = await storage.offloadText(text, { signal });
        shown.push(kind === 'kept' ? block : { ...block, text: content as string });
      }
      return shown;
    },

    /** Outputs of one round, with the names of the tools by call. */
    async ofTools(
      outputs: readonly ToolOutput[],
      names: ReadonlyMap<string, string>,
      signal: AbortSignal | undefined,
    ): Promise<readonly ShownOutput[]> {
      if (storage === undefined) return outputs.map(asShown);
      const offloaded = await storage.offloadRound(
        outputs.map(({ toolUseId, content }) => ({
          toolUseId,
          toolName: names.get(toolUseId) ?? '',
          content,
        })),
        { signal },
      );
      return outputs.map((output, index) => ({
        ...output,
        content: offloaded[index]?.content as ShownOutput['content'],
      }));
    },
  };
}

const asShown = (output: ToolOutput): ShownOutput => {
  const { content } = output;
  return { ...output, content: content instanceof Uint8Array ? LOOSE.decode(content) : content };
};

const LOOSE = new TextDecoder();
