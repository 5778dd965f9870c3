import { lineEnds } from '../preview/spans.ts';
import { checkSkip, type ReadRange, rangeError, type StoredPage } from './page.ts';

type SearchRange = Extract<ReadRange, { readonly search: string }>;

/** Shown on either side of a place, at most, in UTF-16 units. */
const NEIGHBOURHOOD = 100;

/**
 * Places with a text, as many as fit into `maxChars` UTF-16 units, each with its line and column. A line with several near
 * one another is shown once; `total` counts the places that would be shown. Plain text only: a pattern could take for ever.
 */
export function searchText(text: string, range: SearchRange, maxChars: number): StoredPage {
  const { search, ignoreCase = false } = range;
  if (search === '') throw rangeError('`search` must not be empty');
  const skip = checkSkip(range.skip ?? 0);
  const shown: string[] = [];
  let [total, room, line, at] = [0, maxChars, 1, 0];
  for (const place of placesOf(text, search, ignoreCase)) {
    total++;
    if (total <= skip || room < 0) continue;
    line += lineEnds(text, at, place);
    at = place;
    const found = describePlace(text, place, { line, length: search.length });
    room -= found.length + 1;
    if (room >= 0 || shown.length === 0) shown.push(found.slice(0, maxChars));
  }
  const seen = skip + shown.length;
  const next = seen < total ? { ...range, skip: seen } : undefined;
  return { text: shown.join('\n'), next, total };
}

/** Where a text stands, but for places that the excerpt of the one before shows already. */
function* placesOf(text: string, search: string, ignoreCase: boolean): Generator<number> {
  let shownTo = 0;
  for (const place of allPlaces(text, search, ignoreCase)) {
    if (place < shownTo) continue;
    yield place;
    const lineEnd = text.indexOf('\n', place);
    const end = place + search.length + NEIGHBOURHOOD;
    shownTo = lineEnd === -1 ? end : Math.min(lineEnd, end);
  }
}

function* allPlaces(text: string, search: string, ignoreCase: boolean): Generator<number> {
  if (ignoreCase) {
    const literal = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
    for (const { index } of text.matchAll(literal)) yield index;
    return;
  }
  let place = text.indexOf(search);
  for (; place !== -1; place = text.indexOf(search, place + search.length)) yield place;
}

function describePlace(
  text: string,
  place: number,
  { line, length }: { readonly line: number; readonly length: number },
): string {
  const column = place - (place === 0 ? -1 : text.lastIndexOf('\n', place - 1));
  const start = place - Math.min(column - 1, NEIGHBOURHOOD);
  const lineEnd = text.indexOf('\n', place);
  const stop = lineEnd === -1 ? text.length : lineEnd;
  const end = Math.min(Math.max(stop, place), place + length + NEIGHBOURHOOD);
  const [before, after] = [column - 1 > NEIGHBOURHOOD ? '…' : '', end < stop ? '…' : ''];
  return `${line}:${column}: ${before}${text.slice(start, end).toWellFormed()}${after}`;
}
