import type { JsonObject, Tool } from '@varve/messages';
import { ToolStorageError } from '../error.ts';
import type { ReadRange, StoredPage } from './page.ts';

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
 * `column`, `ignore_case` and `list`.
 *
 * @throws ToolStorageError `invalid-range`
 */
export function parseReadInput(input: unknown): ReadToolInput {
  const { handle, ...fields } = (
    typeof input === 'object' && input !== null ? input : {}
  ) as Fields;
  return { handle: handleOf(handle), range: rangeOf(fields) };
}

function handleOf(handle: unknown): string | undefined {
  if (!isGiven(handle)) return undefined;
  if (typeof handle === 'string' && handle !== '') return handle;
  throw invalid(
    '`handle` must be a text, as it is named in place of the result; without it all are listed',
  );
}

function rangeOf(fields: Fields): ReadRange {
  const given = ['lines', 'search', 'page'].filter((name) => isGiven(fields[name]));
  if (given.length > 1)
    throw invalid(`give one of ${given.map((name) => `\`${name}\``).join(' and ')}`);
  if (isGiven(fields.search)) return searchRange(fields);
  if (isGiven(fields.page)) return { page: fields.page as number };
  return linesRange(fields);
}

type Fields = Readonly<Record<string, unknown>>;

/** A text without a capital is found in any case. */
function searchRange({ search, ignore_case, skip }: Fields): ReadRange {
  if (typeof search !== 'string') throw invalid('`search` must be a text');
  const from = isGiven(skip) ? { skip: skip as number } : {};
  const ignoreCase = ignore_case === true || search === search.toLowerCase();
  return { search, ...(ignoreCase && { ignoreCase }), ...from };
}

/** `skip` leaves out so many characters of the first line. */
function linesRange({ lines = ALL, column, skip }: Fields): ReadRange {
  if (!Array.isArray(lines) || lines.length !== 2) throw invalid('`lines` must be two numbers');
  const range = lines as unknown as [number, number];
  if (isGiven(column)) return { lines: range, column: column as number };
  return isGiven(skip) ? { lines: range, column: (skip as number) + 1 } : { lines: range };
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

/** In the words of the definition. */
function toInput(handle: string | undefined, next: ReadRange, total: number): string {
  if ('page' in next) return JSON.stringify({ handle, ...next });
  if ('search' in next) {
    const { search, skip } = next;
    return JSON.stringify({ handle, search, skip });
  }
  const { lines, column = 1 } = next;
  const [first, last] = lines;
  const skip = column > 1 ? { skip: column - 1 } : {};
  return JSON.stringify({ handle, lines: [first, Math.min(last, total)], ...skip });
}

const invalid = (text: string): ToolStorageError => new ToolStorageError('invalid-range', text);
