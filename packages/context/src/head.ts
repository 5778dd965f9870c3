import { type Head, headFingerprint } from '@varve/messages';
import type { Keeper } from './keeper.ts';
import type { ContextOptions } from './options.ts';

type HeadOptions = Pick<ContextOptions, 'model' | 'system' | 'tools' | 'params' | 'storage'>;

/** Appends the head that the options describe, unless the log has it already: then its bytes stay as they are. */
export function bringHead(
  keeper: Keeper,
  { options, at }: { readonly options: HeadOptions; readonly at: string },
): void {
  const head = headOf(options, keeper.nextId('head'));
  const known = keeper.layered.view().head;
  if (known !== undefined && headFingerprint(known) === headFingerprint(head)) return;
  keeper.append({ type: 'head', head }, at);
}

function headOf(
  { model, system = [], tools = [], params = {}, storage }: HeadOptions,
  id: string,
): Head {
  const text = typeof system === 'string' ? [{ type: 'text', text: system } as const] : system;
  return {
    id,
    model,
    system: text.filter((block) => block.text.trim() !== ''),
    tools: storage === undefined ? tools : [...tools, storage.readTool],
    params,
  };
}
