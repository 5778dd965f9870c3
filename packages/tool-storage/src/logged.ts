import type { ToolResultBlock } from '@varve/messages';
import type { BlockLike } from '@varve/messages/blocks';
import { storedHandle, storedHandleOf } from '@varve/messages/stored';
import type { ResultBlock } from './messages.ts';

type Content = string | readonly BlockLike[];

/** Results that an observed log holds whole, under the handles that they would have in a store. */
export function createLogged(
  isStored: (handle: string) => boolean,
  isRemoved: (handle: string) => boolean,
) {
  const contents = new Map<string, Content>();
  const handles = new WeakMap<object, string>();
  return {
    /** Takes a result as the log has it; one that only stands for what is stored keeps that one's handle. */
    add(block: ResultBlock, fingerprint: string): void {
      const { tool_use_id: toolUseId, content = '' } = block;
      if (content.length === 0) return;
      const named = storedHandle(block as ToolResultBlock);
      if (named !== undefined && isStored(named)) {
        handles.set(block, named);
        return;
      }
      const extension = typeof content === 'string' ? 'txt' : 'json';
      const handle = storedHandleOf(toolUseId, fingerprint, extension);
      handles.set(block, handle);
      contents.set(handle, content);
    },
    handleOf(block: object): string | undefined {
      const handle = handles.get(block);
      return handle === undefined || isRemoved(handle) ? undefined : handle;
    },
    find: (handle: string): Content | undefined =>
      isRemoved(handle) ? undefined : contents.get(handle),
    remove: (handle: string): void => void contents.delete(handle),
  };
}

export type Logged = ReturnType<typeof createLogged>;
