import { checkOptions, integer, isRecord } from '@varve/guards';
import { TranscriptError } from '../error.ts';
import { createLineSplitter, type Line, MAX_LINE_BYTES } from '../lines.ts';
import { createContext, type ImportContext } from './context.ts';
import { detect, detectMessages, isPlainMessage } from './detect.ts';
import type { Importer } from './importer.ts';
import { IMPORTERS } from './importers.ts';
import { noText, RESTORE, START_BYTES } from './no-text.ts';
import { otherAgent, SUPPORTED } from './other-agents.ts';
import { createRecordReader } from './read-records.ts';
import type { FileRecord } from './recover-records.ts';
import { createRepeats, identityOfAll } from './repeats.ts';
import type {
  ImportedSession,
  ImportOptions,
  ImportProblem,
  ProblemKind,
  SessionFormat,
} from './types.ts';

/**
 * Reads a session that another agent recorded, from the bytes of its file. The format is told from the content. Damage is
 * repaired or left out and listed in `problems`; what the import has no use for is counted in `unused`.
 *
 * @throws TranscriptError where nothing can be made of the file, RangeError or TypeError for an option that does not fit; rejects with what
 * `chunks` throws.
 */
export async function importSession(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportedSession> {
  const { name, format, maxLineBytes = MAX_LINE_BYTES, signal } = options;
  checkOptions(options, {
    maxLineBytes: integer(1, MAX_STRING_LENGTH),
    format: Object.keys(IMPORTERS),
  });
  signal?.throwIfAborted();
  const context = createContext(name);
  const session = createSession(context, format);
  const reader = createRecordReader(context, maxLineBytes);
  const splitter = createLineSplitter(maxLineBytes);
  const take = (line: Line): void => {
    for (const record of reader.push(line)) session.add(record);
  };
  let start = new Uint8Array();
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    if (start.length < START_BYTES) {
      start = joined(start, chunk.subarray(0, START_BYTES));
      if (start.length >= START_BYTES) ensureText(start, name);
    }
    for (const line of splitter.push(chunk)) take(line);
  }
  if (start.length < START_BYTES) ensureText(start, name);
  for (const line of splitter.end()) take(line);
  for (const record of reader.end()) session.add(record);
  return session.finish();
}

/** What has to be unpacked or saved in UTF-8 first may hold pieces that look like records. */
function ensureText(start: Uint8Array, file: string): void {
  const reason = noText(start);
  if (reason !== undefined) throw new TranscriptError('not-text', reason, { file });
}

function joined(start: Uint8Array, more: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(start.length + more.length);
  both.set(start);
  both.set(more, start.length);
  return both;
}

/** V8 makes no longer string. */
const MAX_STRING_LENGTH = 536_870_888;

/** How many records that tell nothing are looked at before a file is called unknown; messages do not count. */
const MAX_UNKNOWN = 1000;

function createSession(context: ImportContext, forced: SessionFormat | undefined) {
  const early: FileRecord[] = [];
  const repeats = createRepeats();
  let importer: Importer | undefined;
  let format = forced;

  function open(found: SessionFormat): Importer {
    format = found;
    importer = IMPORTERS[found](context);
    for (const record of early.splice(0)) give(importer, record);
    return importer;
  }

  function give(reader: Importer, { value, line, text }: FileRecord): void {
    const identity = isRecord(value) ? reader.identityOf(value, text) : identityOfAll(value);
    // of a list of messages one a line the text of the later ones is not kept
    if (text !== '' && repeats.has(identity, lengthOf(text))) {
      context.problem('duplicate-record', line, 'a record that stands twice was dropped once');
      return;
    }
    if (isRecord(value)) reader.add(value, line, text);
    else if (Array.isArray(value) && reader.addList !== undefined) reader.addList(value, line);
    else context.problem('not-a-record', line, 'a value that is no object was dropped');
  }

  /** One message a line tells its format only together with the others. */
  function openLate(): Importer | undefined {
    const found = detectMessages(early.map(({ value }) => value));
    return found === undefined ? undefined : open(found);
  }

  return {
    add(record: FileRecord): void {
      if (importer !== undefined) {
        give(importer, record);
        return;
      }
      // only messages one a line come to so many, and they have no use for their text
      early.push(early.length < MAX_UNKNOWN ? record : { ...record, text: '' });
      const other = forced === undefined ? otherAgent(record.value) : undefined;
      if (other !== undefined) throw notRead(context, other, record.line);
      const found = forced ?? detect(record.value);
      if (found !== undefined) open(found);
      else if (early.length > MAX_UNKNOWN && !early.some(({ value }) => isPlainMessage(value))) {
        throw unknownFormat(context, early);
      }
    },
    finish(): ImportedSession {
      const reader = importer ?? openLate();
      if (reader === undefined || format === undefined) throw unknownFormat(context, early);
      const [first, ...others] = reader.finish().filter(({ entries }) => entries.some(isMessage));
      if (first === undefined) throw noMessages(context, format);
      // a sub-agent that has a file to itself is the main thread of that file
      const threads = [
        first.kind === 'main' ? first : { ...first, kind: 'main' as const },
        ...others,
      ];
      const unused = Object.fromEntries([...context.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
      const problems = context.problems.toSorted((a, b) => a.line - b.line);
      return { format, name: context.name, ...context.identity, threads, unused, problems };
    },
  };
}

/** Without the blanks around it, which are few. */
const lengthOf = (text: string): number =>
  /^\S/.test(text) && /\S$/.test(text.slice(-1)) ? text.length : text.trim().length;

const isMessage = ({ type }: { readonly type: string }): boolean => type === 'message';

/** Damage comes first where the file holds nothing else, or begins with it: by its beginning a file is known. */
function unknownFormat(context: ImportContext, early: readonly FileRecord[]): TranscriptError {
  const file = context.name;
  const first = early.find(({ value }) => typeof value === 'object' && value !== null);
  const loss = context.problems.find(({ kind }) => LOSSES.has(kind));
  if (first === undefined && loss !== undefined) return noSession(file, loss);
  if (first !== undefined && loss !== undefined && loss.line <= first.line) {
    const text = `the beginning is cut off or damaged, and what follows does not tell whose session it is: ${RESTORE}`;
    return new TranscriptError('torn-document', text, { file, line: loss.line });
  }
  const [other] = first === undefined ? early : [first];
  if (other !== undefined) {
    const text = `JSON, but of no format that can be imported; ${SUPPORTED}`;
    return new TranscriptError('unknown-format', text, { file, line: other.line });
  }
  if (context.problems.some(({ kind }) => kind === 'nul-padding')) {
    const text = `nothing but NUL bytes is in the file, as after a crash: ${RESTORE}`;
    return new TranscriptError('not-text', text, { file });
  }
  return new TranscriptError('empty', 'the file is empty', { file });
}

/** Nothing that is in the file could be read. */
function noSession(file: string, { kind, line }: ImportProblem): TranscriptError {
  if (kind === 'torn-record') {
    const text = `the file is cut off or damaged, and holds no whole record: ${RESTORE}`;
    return new TranscriptError('torn-document', text, { file, line });
  }
  const text = `nothing in the file is JSON: if it was a session, ${RESTORE}`;
  return new TranscriptError('not-text', text, { file, line });
}

function notRead({ name: file }: ImportContext, agent: string, line: number): TranscriptError {
  const text = `this is from ${agent}; it cannot be imported; ${SUPPORTED}`;
  return new TranscriptError('unknown-format', text, { file, line });
}

/** Problems that took something away. */
const LOSSES = new Set<ProblemKind>(['torn-record', 'bad-json', 'line-too-long', 'bad-record']);

function noMessages({ name: file, problems }: ImportContext, format: SessionFormat) {
  const loss = problems.find(({ kind }) => LOSSES.has(kind));
  if (loss === undefined) {
    return new TranscriptError('no-messages', `a ${format} session without a message`, { file });
  }
  const text = `a ${format} session that is cut off or damaged, without a whole message: ${RESTORE}`;
  return new TranscriptError('torn-document', text, { file, line: loss.line });
}
