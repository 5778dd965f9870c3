import type { MessageResponse } from '@varve/messages';
import type { ReplyFacts } from './types.ts';

/** A response as a note can hold it: of its usage the numbers. */
export function factsOf({ id, model, stopReason, usage }: MessageResponse): ReplyFacts {
  if (usage === undefined) return { id, model, stopReason };
  const counts = Object.entries(usage).filter(
    (field): field is [string, number] => typeof field[1] === 'number',
  );
  return { id, model, stopReason, usage: Object.fromEntries(counts) };
}
