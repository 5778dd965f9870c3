import { checkOptions, integer } from '@varve/guards';
import { escapeTags } from '../envelope.ts';
import { stripEscapes } from '../escapes.ts';
import { outlineJson } from './json.ts';
import { describeSearch, summarizeSearch } from './search.ts';
import { joinSpans, lineEnds, renderSpans } from './spans.ts';
import { excerpt, headSpan } from './text.ts';

export interface PreviewOptions {
  /**
   * Most UTF-16 units of the preview, 200 at least.
   * @default 2000, about 500 tokens: what a replay of 20 recorded sessions found cheapest
   */
  readonly maxChars?: number | undefined;
  /**
   * `by-content`: the shape of JSON, match counts of a search, else both ends with errors and exit codes; `head`: the first
   * lines, in at most `maxChars` UTF-8 bytes.
   * @default 'by-content'
   */
  readonly style?: 'by-content' | 'head' | undefined;
  /** Text that was sought: its neighbourhood is shown. */
  readonly query?: string | undefined;
}

export interface Preview {
  readonly text: string;
  readonly kind: 'json' | 'search' | 'text';
  /** Line of the original where the text was first cut, from 1; `undefined` where all of it is shown. */
  readonly cutAtLine: number | undefined;
}

/**
 * What stands in the context in place of a long text: without terminal escapes, with our own tags made harmless. Linear in
 * the text, and memory for a few lines of it (a copy where escapes have to go).
 *
 * @throws RangeError when `maxChars` is below 200
 */
export function previewOf(text: string, options: PreviewOptions = {}): Preview {
  const { maxChars = 2_000, style = 'by-content', query } = options;
  checkOptions(options, PREVIEW);
  const plain = stripEscapes(text);
  if (style === 'head') return headPreview(plain, maxChars);
  const summary = summaryOf(plain, Math.floor(maxChars / 2));
  const kind = summary?.kind ?? 'text';
  const above = summary === undefined ? '' : `${summary.text}\n`;
  const body = excerpt(plain, { maxChars: Math.max(100, maxChars - above.length), query });
  return { text: `${above}${body}`, kind, cutAtLine: cutLine(body) };
}

/** What its options have to be. */
export const PREVIEW = { maxChars: integer(200), style: ['by-content', 'head'] };

function summaryOf(text: string, room: number): Pick<Preview, 'text' | 'kind'> | undefined {
  const search = summarizeSearch(text);
  const found =
    search === undefined ? outlineJson(text, { maxChars: room }) : describeSearch(search, room);
  if (found === undefined) return undefined;
  const clean = escapeTags(found).toWellFormed();
  // Escaping our tags may have made it longer: then it is not worth its room.
  return clean.length > room
    ? undefined
    : { text: clean, kind: search === undefined ? 'json' : 'search' };
}

function headPreview(text: string, maxBytes: number): Preview {
  const room = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text.slice(0, maxBytes), room);
  const span = headSpan(text, read);
  return {
    text: renderSpans(text, joinSpans([span])),
    kind: 'text',
    cutAtLine: span.end < text.length ? lineEnds(text, 0, span.end) + 1 : undefined,
  };
}

/** From the first line about a gap. */
function cutLine(shown: string): number | undefined {
  const line = /<persisted-output-gap (?:lines?|from)="(\d+)/.exec(shown)?.[1];
  return line === undefined ? undefined : Number(line);
}
