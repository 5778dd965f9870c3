import { recordOf } from '@varve/guards';
import { type JsonRecord, timeOf } from './json.ts';
import type { ToolPart } from './opencode-parts.ts';
import type { ThreadBuilder } from './thread.ts';

/** What the model is shown in place of an output that OpenCode pruned. */
const PRUNED = '[old tool output cleared]';

interface Pruned extends ToolPart {
  readonly messageId: string;
}

/**
 * OpenCode prunes old outputs: they stay in the file, and each tells from when on the model saw a placeholder. Outputs
 * pruned at one time are one edit, which stands before the first message after that time.
 */
export function createPruning(parts: readonly JsonRecord[], thread: ThreadBuilder) {
  const times = parts.flatMap((part) => prunedAt(part) ?? []);
  const waiting = new Map([...new Set(times)].sort().map((at) => [at, [] as Pruned[]]));

  return {
    /** Told of every result as it is logged. */
    logged(tool: ToolPart, messageId: string): void {
      const at = prunedAt(tool.part);
      if (at !== undefined) waiting.get(at)?.push({ ...tool, messageId });
    },
    /** Writes the edits that were due before a message of this time; all that are left where there is none. */
    until(at: string | undefined): void {
      for (const [time, pruned] of waiting) {
        if (at !== undefined && time > at) break;
        if (pruned.length === 0 && at !== undefined) continue;
        waiting.delete(time);
        thread.content({
          replacements: pruned.map(clear),
          receipt: { source: 'compacted' },
          at: time,
        });
      }
    },
  };
}

const prunedAt = (part: JsonRecord): string | undefined =>
  timeOf(recordOf(recordOf(part.state).time).compacted);

function clear({ result, messageId }: Pruned) {
  const id = result?.tool_use_id ?? '';
  const error = result?.is_error === undefined ? {} : { is_error: result.is_error };
  return { messageId, block: { type: 'tool_result', tool_use_id: id, content: PRUNED, ...error } };
}
