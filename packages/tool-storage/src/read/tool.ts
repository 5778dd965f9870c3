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
    readonly required: string[];
    readonly additionalProperties: false;
  };
}

/**
 * The definition of the tool with which a model reads stored results. Every request carries it, so it is short: what it
 * does not say, an answer or a refusal does.
 */
export function readToolDefinition(name: string, maxChars: number): ReadTool {
  return {
    name,
    description:
      'Reads a tool result that was too long to show or was cleared. Give the handle named in its place and one of: `lines` ' +
      '[first, last], from `column` of the first; `search`, a plain text, without the first `skip` places; `page`, from 1. ' +
      'With `list` in place of a handle it reads the list of handles, the newest first. ' +
      `An answer holds at most ${maxChars} characters and says how to read on. Prefer few lines or a search.`,
    input_schema: {
      type: 'object',
      properties: {
        handle: { type: 'string' },
        list: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'integer' } },
        column: { type: 'integer' },
        search: { type: 'string' },
        ignore_case: { type: 'boolean' },
        skip: { type: 'integer' },
        page: { type: 'integer' },
      },
      required: [],
      additionalProperties: false,
    },
  };
}

export interface ReadToolInput {
  /** Undefined for the list of handles. */
  readonly handle: string | undefined;
  readonly range: ReadRange;
}

/**
 * What a model asked for; without a range, the first page.
 *
 * @throws ToolStorageError `invalid-range`
 */
export function parseReadInput(input: unknown): ReadToolInput {
  const { list, handle, ...fields } = (
    typeof input === 'object' && input !== null ? input : {}
  ) as Fields;
  return { handle: handleOf(handle, list), range: rangeOf(fields) };
}

function handleOf(handle: unknown, list: unknown): string | undefined {
  if (typeof handle === 'string' && handle !== '') return handle;
  if (isGiven(list) && list !== false) return undefined;
  throw invalid(
    '`handle` must be a text, as it is named in place of the result; `list: true` shows all',
  );
}

function rangeOf(fields: Fields): ReadRange {
  const given = ['lines', 'search', 'page'].filter((name) => isGiven(fields[name]));
  if (given.length > 1)
    throw invalid(`give one of ${given.map((name) => `\`${name}\``).join(' and ')}`);
  if (isGiven(fields.search)) return searchRange(fields);
  if (isGiven(fields.lines)) return linesRange(fields);
  return { page: isGiven(fields.page) ? (fields.page as number) : 1 };
}

type Fields = Readonly<Record<string, unknown>>;

function searchRange({ search, ignore_case, skip }: Fields): ReadRange {
  if (typeof search !== 'string') throw invalid('`search` must be a text');
  const from = isGiven(skip) ? { skip: skip as number } : {};
  return { search, ...(ignore_case === true && { ignoreCase: true }), ...from };
}

function linesRange({ lines, column }: Fields): ReadRange {
  if (!Array.isArray(lines) || lines.length !== 2) throw invalid('`lines` must be two numbers');
  const range = lines as unknown as [number, number];
  return isGiven(column) ? { lines: range, column: column as number } : { lines: range };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The answer: a line that says what it is and how to read on, and then the text as it is. */
export function describePage(input: ReadToolInput, page: StoredPage): string {
  const { range, handle = 'list' } = input;
  const { text, next, total } = page;
  const on = next === undefined ? 'this is the end' : `read on with ${toInput(input.handle, next)}`;
  if ('search' in range) {
    return total === 0 ? `${handle}: not found` : `${handle}: ${total} places; ${on}\n${text}`;
  }
  const what = 'page' in range ? `page ${range.page} of ${total}` : `lines of ${total}`;
  return `${handle}: ${what}; ${on}\n${text}`;
}

function toInput(handle: string | undefined, range: ReadRange): string {
  const { ignoreCase, ...rest } = range as { readonly ignoreCase?: boolean };
  const of = handle === undefined ? { list: true } : { handle };
  return JSON.stringify({ ...of, ...rest, ...(ignoreCase === true && { ignore_case: true }) });
}

const invalid = (text: string): ToolStorageError => new ToolStorageError('invalid-range', text);
