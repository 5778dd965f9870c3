import { isRecord } from '@varve/guards';
import type { JsonObject, Tool } from '@varve/messages';
import { ToolStorageError } from '../error.ts';
import { checkSkip, type ReadRange, type StoredPage } from './page.ts';

/** A tool definition as the SDKs of providers want it: nothing in it is optional. */
export interface ReadTool extends Tool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: {
    readonly type: 'object';
    readonly properties: JsonObject;
  };
}

/**
 * The definition of the tool with which a model reads stored results. Every request carries it from the first on, in
 * sessions where nothing is ever stored too: a tool that comes later costs the whole cached prefix once. So it is as short as
 * it can be: what it does not say, an answer or a refusal does.
 */
export function readToolDefinition(name: string): ReadTool {
  return {
    name,
    description: 'Reads a stored result by handle: `lines` [first, last] or places of a `search`.',
    input_schema: {
      type: 'object',
      properties: {
        handle: { type: 'string' },
        lines: { type: 'array', items: { type: 'integer' } },
        search: { type: 'string' },
        skip: { type: 'integer' },
      },
    },
  };
}

export interface ReadToolInput {
  /** Undefined for the list of handles. */
  readonly handle: string | undefined;
  readonly range: ReadRange;
}

/**
 * What a model asked for; without a range, all from the first line on. Takes what earlier definitions had as well: `page`,
 * `column`, `ignore_case` and `list`. A field that is null is as if it were not there.
 *
 * @throws ToolStorageError `invalid-range`
 */
export function parseReadInput(input: unknown): ReadToolInput {
  const all = input ?? {};
  if (!isRecord(all)) throw invalid(HANDLE);
  const given = Object.entries(all).filter(([, value]) => isGiven(value));
  const { handle, ...fields }: Fields = Object.fromEntries(given);
  return { handle: handleOf(handle, fields), range: rangeOf(fields) };
}

/** Fields of now and of earlier definitions with which handles are listed. */
const LISTED_WITH = ['lines', 'search', 'skip', 'page', 'column', 'ignore_case'];

/** A field that nobody knows may have been meant as the handle. */
function handleOf(handle: unknown, { list, ...fields }: Fields): string | undefined {
  const isListing =
    list !== false && Object.keys(fields).every((name) => LISTED_WITH.includes(name));
  if (handle === undefined && isListing) return undefined;
  if (typeof handle === 'string' && handle !== '') return handle;
  throw invalid(HANDLE);
}

const HANDLE =
  '`handle` must be a text, as it is named in place of the result; without any field all are listed';

function rangeOf(fields: Fields): ReadRange {
  const given = ['lines', 'search', 'page'].filter((name) => name in fields);
  if (given.length > 1)
    throw invalid(`give one of ${given.map((name) => `\`${name}\``).join(' and ')}`);
  if ('search' in fields) return searchRange(fields);
  if ('page' in fields) return { page: fields.page as number };
  return linesRange(fields);
}

type Fields = Readonly<Record<string, unknown>>;

function searchRange({ search, ignore_case, skip = 0 }: Fields): ReadRange {
  if (typeof search !== 'string') throw invalid('`search` must be a text');
  const ignoreCase = ignore_case === undefined ? isInAnyCase(search) : ignore_case === true;
  return { search, ignoreCase, skip: checkSkip(skip) };
}

/** A text without a capital is found in any case, where nothing else is said. */
const isInAnyCase = (search: string): boolean => search === search.toLowerCase();

/** `skip` leaves out so many characters of the first line. */
function linesRange({ lines = ALL, column, skip = 0 }: Fields): ReadRange {
  if (!Array.isArray(lines) || lines.length !== 2) throw invalid('`lines` must be two numbers');
  const range = lines as unknown as [number, number];
  return { lines: range, column: column === undefined ? checkSkip(skip) + 1 : (column as number) };
}

const ALL = [1, Number.MAX_SAFE_INTEGER];

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The answer: a line that says what it is and how to read on, and then the text as it is. */
export function describePage({ range, handle }: ReadToolInput, page: StoredPage): string {
  const { text, next, total } = page;
  const what = handle ?? 'all handles';
  const on =
    next === undefined ? 'this is the end' : `read on with ${toInput(handle, next, total)}`;
  if ('search' in range) {
    return total === 0 ? `${what}: not found` : `${what}: ${total} places; ${on}\n${text}`;
  }
  const part = 'page' in range ? `page ${range.page} of ${total}` : `lines of ${total}`;
  return `${what}: ${part}; ${on}\n${text}`;
}

/** In the words of the definition, and what else was said of the case. */
function toInput(handle: string | undefined, next: ReadRange, total: number): string {
  if ('page' in next) return JSON.stringify({ handle, ...next });
  if ('search' in next) {
    const { search, ignoreCase = false, skip } = next;
    const said = ignoreCase === isInAnyCase(search) ? {} : { ignore_case: ignoreCase };
    return JSON.stringify({ handle, search, ...said, skip });
  }
  const { lines, column = 1 } = next;
  const [first, last] = lines;
  const skip = column > 1 ? { skip: column - 1 } : {};
  return JSON.stringify({ handle, lines: [first, Math.min(last, total)], ...skip });
}

const invalid = (text: string): ToolStorageError => new ToolStorageError('invalid-range', text);
