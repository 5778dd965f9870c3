import { isRecord } from '@varve/guards';
import type { ImportContext } from './context.ts';
import { type JsonRecord, textOf } from './json.ts';

/** What happened, in order: a message as it was last written, or that the conversation went back before one. */
export interface GeminiStep {
  readonly kind: 'message' | 'rewind';
  message: JsonRecord;
  readonly line: number;
}

/** Puts the records of a session together that Gemini CLI writes as they come. */
export function createGeminiJournal(context: ImportContext) {
  const steps: GeminiStep[] = [];
  /** The messages that stand, by id, oldest first. */
  const standing = new Map<string, GeminiStep>();

  function put(message: JsonRecord, line: number): void {
    const id = textOf(message.id);
    const known = standing.get(id ?? '');
    if (known !== undefined) {
      known.message = message;
      return;
    }
    const step: GeminiStep = { kind: 'message', message, line };
    steps.push(step);
    if (id !== undefined) standing.set(id, step);
  }

  /** Goes back before the message with an id; nothing where it does not stand. */
  function rewind(id: string, line: number): void {
    const first = standing.get(id);
    if (first === undefined) {
      context.unused('$rewindTo-unknown');
      return;
    }
    steps.push({ kind: 'rewind', message: first.message, line });
    const ids = [...standing.keys()];
    for (const dropped of ids.slice(ids.indexOf(id))) standing.delete(dropped);
  }

  /** The messages are these from now on; where only the newest are missing, the conversation went back. */
  function set(messages: unknown, line: number): void {
    const given = context.records(messages, 'message');
    const kept = new Set(given.map(({ id }) => id));
    const missing = [...standing.keys()].filter((id) => !kept.has(id));
    const [firstMissing] = missing;
    const newest = [...standing.keys()].slice(standing.size - missing.length);
    if (firstMissing !== undefined) {
      if (newest[0] === firstMissing) rewind(firstMissing, line);
      else context.unused('$set.messages-without', missing.length);
    }
    for (const message of given) put(message, line);
  }

  return {
    set,
    /** Whether a record is one of a session that is written as it goes. */
    takes: (value: JsonRecord): boolean =>
      isRecord(value.$set) || value.$rewindTo !== undefined || textOf(value.type) !== undefined,
    add(value: JsonRecord, line: number): void {
      const { $set: change, $rewindTo: target } = value;
      if (isRecord(change)) {
        if (change.messages !== undefined) set(change.messages, line);
        for (const field of Object.keys(change))
          if (field !== 'messages') context.unused(`$set.${field}`);
      } else if (target !== undefined) rewind(textOf(target) ?? '', line);
      else put(value, line);
    },
    steps: (): readonly GeminiStep[] => steps,
  };
}
