import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createProjection, type Entry, type Message, type Request } from '@varve/messages';
import { importFile } from '@varve/transcript/node';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'sessions');

export const fixtureNames = (): string[] => readdirSync(FIXTURES).sort();

export async function fixtureEntries(name: string): Promise<readonly Entry[]> {
  const { threads } = await importFile(join(FIXTURES, name));
  return threads[0]?.entries ?? [];
}

/** A request of a recorded session, and the reply to it. */
export interface RecordedCall {
  readonly request: Request;
  readonly reply: Message;
  /** Milliseconds since 1970. */
  readonly startMs: number;
}

/** What was sent before each reply, as the log has it. */
export function recordedCalls(entries: readonly Entry[]): RecordedCall[] {
  const projection = createProjection();
  const calls: RecordedCall[] = [];
  let view: ReturnType<typeof projection.append> | undefined;
  for (const entry of entries) {
    if (view?.head && entry.type === 'message' && entry.message.role === 'assistant') {
      const isAsked = view.messages.at(-1)?.role === 'user' && !view.open;
      if (isAsked) {
        const { head, messages, server } = view;
        const request = {
          head,
          messages,
          markers: [],
          maxOutputTokens: 32_000,
          ...(server && { server }),
        };
        calls.push({ request, reply: entry.message, startMs: Date.parse(entry.at) });
      }
    }
    view = projection.append(entry);
  }
  return calls;
}
