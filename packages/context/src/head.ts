import { type Head, headFingerprint, type TextBlock } from '@varve/messages';
import type { Keeper } from './keeper.ts';
import type { ContextOptions } from './options.ts';

type HeadOptions = Pick<ContextOptions, 'model' | 'system' | 'tools' | 'params' | 'storage'>;

/** Appends the head that the options describe, unless the log has it already: then its bytes stay as they are. */
export function bringHead(
  keeper: Keeper,
  { options, at }: { readonly options: HeadOptions; readonly at: string },
): void {
  const { layered } = keeper;
  const head = headOf(options, layered.nextId('head'));
  const known = layered.view().head;
  if (known !== undefined && headFingerprint(known) === headFingerprint(head)) return;
  keeper.append({ type: 'head', head }, at);
}

function headOf(options: HeadOptions, id: string): Head {
  const { model, system = [], params = {} } = options;
  const blocks: readonly TextBlock[] =
    typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  const filled = blocks.filter(({ text }) => text.trim() !== '');
  return { id, model, system: filled, tools: toolsOf(options), params };
}

/** The read tool comes last, and once where the caller has put it among the tools. */
function toolsOf({ tools = [], storage }: HeadOptions): Head['tools'] {
  const { readTool } = storage ?? {};
  if (readTool === undefined || tools.some(({ name }) => name === readTool.name)) return tools;
  return [...tools, readTool];
}
