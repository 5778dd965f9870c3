import type { ToolResultBlock } from '@varve/messages';
import type { BlockLike } from '@varve/messages/blocks';
import { storedHandle, storedHandleOf } from '@varve/messages/stored';
import type { Mark } from './mark.ts';
import type { ResultBlock } from './messages.ts';

type Content = string | readonly BlockLike[];

/** A result of the log, under the handle that it would have in a store. */
interface LoggedResult {
  readonly content: Content;
  readonly handle: () => string;
}

/** Results that an observed log holds whole. Few are ever asked for, so each handle is worked out where it is. */
export function createLogged(
  isStored: (handle: string) => boolean,
  isRemoved: (handle: string) => boolean,
) {
  /** By what a handle has beside its hash. */
  const results = new Map<string, LoggedResult[]>();
  const handles = new WeakMap<object, () => string>();

  const placeOf = (handle: string): string => handle.slice(0, handle.lastIndexOf('-'));
  const withHandle = (handle: string): LoggedResult[] =>
    (results.get(placeOf(handle)) ?? []).filter((result) => result.handle() === handle);

  return {
    /** Takes a result as the log has it; one that only stands for what is stored keeps that one's handle. */
    add(block: ResultBlock, mark: Mark): void {
      const { tool_use_id: toolUseId, content = '' } = block;
      if (content.length === 0) return;
      const named = storedHandle(block as ToolResultBlock);
      if (named !== undefined && isStored(named)) {
        handles.set(block, () => named);
        return;
      }
      const extension = typeof content === 'string' ? 'txt' : 'json';
      const handle = () => storedHandleOf(toolUseId, mark.fingerprint(), extension);
      handles.set(block, handle);
      const place = placeOf(storedHandleOf(toolUseId, '', extension));
      const known = results.get(place);
      if (known === undefined) results.set(place, [{ content, handle }]);
      else known.push({ content, handle });
    },
    handleOf(block: object): string | undefined {
      const handle = handles.get(block)?.();
      return handle === undefined || isRemoved(handle) ? undefined : handle;
    },
    find: (handle: string): Content | undefined =>
      isRemoved(handle) ? undefined : withHandle(handle).at(-1)?.content,
    remove(handle: string): void {
      const gone = new Set(withHandle(handle));
      const known = results.get(placeOf(handle)) ?? [];
      results.set(
        placeOf(handle),
        known.filter((result) => !gone.has(result)),
      );
    },
  };
}

export type Logged = ReturnType<typeof createLogged>;
