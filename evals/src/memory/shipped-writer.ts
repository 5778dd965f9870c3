import {
  createExtraction,
  type ExtractionEvent,
  extractionPromptHash,
} from '@varve/memdir/extract';
import type { Writer, Written } from './run-chain.ts';

/** The extraction that ships, in a call of its own behind each session. */
export const shippedWriter: Writer = {
  promptVersion: extractionPromptHash(),
  async write({ memory, client, messages, nowMs }) {
    const events: ExtractionEvent[] = [];
    const onEvent = (event: ExtractionEvent) => events.push(event);
    const now = () => nowMs;
    const extraction = createExtraction({ memory, client, model: 'recorded', onEvent, now });
    extraction.afterTurn(messages);
    await extraction.flush();
    await extraction.close();
    return writtenBy(events);
  },
};

function writtenBy(events: readonly ExtractionEvent[]): Written {
  const refused: Record<string, number> = {};
  let [writes, held] = [0, 0];
  let failed: string | undefined;
  for (const event of events) {
    if (event.kind === 'finished') {
      writes += event.writes.length;
      held += event.held.length;
      for (const { reason } of event.refused) refused[reason] = (refused[reason] ?? 0) + 1;
    } else if (event.kind === 'dropped') failed = event.reason;
    else if (event.kind === 'failed') failed = 'failed';
  }
  return { writes, held, refused, ...(failed !== undefined && { failed }) };
}
