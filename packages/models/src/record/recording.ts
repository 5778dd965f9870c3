import { isRecord, recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import { ModelError, type ModelErrorCode } from '../error.ts';
import type { ModelEvent, ModelResponse } from '../types.ts';

/** Where recorded exchanges are kept: one JSON object a line, in the order in which the requests ended. */
export interface RecordStore {
  /** Adds a line, without its line break, in one write. */
  append(line: string): Promise<void>;
  /** All lines; none where nothing was recorded. */
  lines(): Promise<readonly string[]>;
}

/** One line of a recording. */
export interface RecordedExchange {
  readonly version: 1;
  /** Fingerprint of the request's bytes. */
  readonly key: string;
  readonly provider: string;
  /** The request's stable bytes, after redaction. */
  readonly request: string;
  /** All events but `response-end`. */
  readonly events: readonly ModelEvent[];
  readonly response?: ModelResponse;
  /** What it failed with instead. */
  readonly error?: RecordedError;
}

export interface RecordedError {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly facts: JsonObject;
}

/** A store in memory, e.g. for a test that records and replays in one go. */
export function memoryRecordStore(lines: readonly string[] = []): RecordStore {
  const kept = [...lines];
  return {
    append: async (line) => void kept.push(line),
    lines: async () => [...kept],
  };
}

/**
 * Reads a line of a recording.
 *
 * @throws ModelError `bad-recording`
 */
export function readExchange(line: string, lineIndex: number): RecordedExchange {
  const refuse = (what: string, cause?: unknown): never => {
    const message = `Line ${lineIndex + 1} of the recording ${what}; record it again.`;
    throw new ModelError('bad-recording', message, { cause });
  };
  const value = parse(line, refuse);
  if (!isRecord(value)) return refuse('is not a recorded exchange');
  if (value.version !== 1)
    return refuse(`has version ${String(value.version)}, and this package reads 1`);
  const isWhole =
    typeof value.key === 'string' &&
    typeof value.request === 'string' &&
    Array.isArray(value.events);
  const hasEnd = isRecord(value.response) || isRecord(value.error);
  return isWhole && hasEnd ? (value as unknown as RecordedExchange) : refuse('is incomplete');
}

function parse(line: string, refuse: (what: string, cause: unknown) => never): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    return refuse('is not JSON', cause);
  }
}

export function writeError(error: ModelError): RecordedError {
  const { code, message, cause: _, name: __, ...facts } = error as ModelError & { name: string };
  return { code, message, facts: facts as unknown as JsonObject };
}

export function readError({ code, message, facts }: RecordedError): ModelError {
  return new ModelError(code, message, recordOf(facts));
}
