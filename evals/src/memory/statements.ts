/**
 * What a memory says, statement by statement: the sentences and list items of a body, without its headings and without the
 * lines that say why and how. Read by the measurement's own rules.
 */
export function statementsOf(file: string): readonly string[] {
  const statements: string[] = [];
  let open: string[] = [];
  let isReason = false;
  const close = () => {
    const text = open.join(' ').trim();
    open = [];
    if (text !== '' && !isReason) statements.push(...sentencesOf(text));
    isReason = false;
  };
  const isCode = fences();
  for (const line of bodyOf(file).split(/\r\n?|\n/)) {
    const text = line.replace(/^[\s>]+/, '').trimEnd();
    const fence = isCode(text);
    if (fence === 'inside') {
      open.push(text);
      continue;
    }
    if (fence === 'edge' || text === '' || HEADING.test(text) || RULE.test(text)) {
      close();
      continue;
    }
    const item = ITEM.exec(text);
    if (item !== null || text.startsWith('|')) close();
    const said = text.startsWith('|') ? cellsOf(text) : text.slice(item?.[0].length ?? 0);
    if (REASON.test(said)) {
      close();
      isReason = true;
    }
    open.push(said);
  }
  close();
  return statements.filter(saysSomething);
}

/** Behind the header, without comments. */
export function bodyOf(file: string): string {
  const text = file.replace(/^﻿/, '').replace(/<!--[\s\S]*?-->/g, '');
  return text.replace(/^\s*---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, '');
}

const HEADING = /^#{1,6}(?:\s|$)/;
const RULE = /^(?:[-*_=]\s*){3,}$/;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const REASON = /^(?:[*_]{1,3})?(?:why|how(?: to (?:apply|use)(?: it| this)?)?)\b[*_ ]{0,4}:/i;

function fences(): (line: string) => 'edge' | 'inside' | undefined {
  let mark: string | undefined;
  return (line) => {
    const found = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) {
      mark = found;
      return found === undefined ? undefined : 'edge';
    }
    if (found === undefined || !found.startsWith(mark)) return 'inside';
    mark = undefined;
    return 'edge';
  };
}

const cellsOf = (row: string): string =>
  /^[|\s:-]+$/.test(row)
    ? ''
    : row
        .split('|')
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(' ');

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Sentences; what is shorter than two words belongs to the one before: `No. 5`, `e.g.`. */
function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1);
    if (last !== undefined && (ABBREVIATION.test(last) || !/\p{L}{2}.*\s/u.test(segment.trim())))
      sentences[sentences.length - 1] = last + segment;
    else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim());
}

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|no|mr|mrs|ms|dr|st|approx|ca|incl|cf)\.)\s*$/i;

/** Neither a heading's stump nor a line of links alone. */
const saysSomething = (statement: string): boolean => {
  const rest = statement
    .replace(/\[\[[^\]]*\]\]/g, '')
    .replace(/^(?:see(?: also)?|related|links?|siehe)\b:?/i, '');
  return /[\p{L}\p{N}]/u.test(rest);
};
