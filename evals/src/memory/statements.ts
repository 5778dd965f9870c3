import { isCutInDate } from './dates.ts';

export interface Statement {
  readonly text: string;
  /** What may give the subject: headings, items and the line before a list that stand above it, name and description of the file. */
  readonly about: readonly string[];
}

/**
 * What a memory says, statement by statement: the sentences and list items of a body, without its headings and without the
 * lines that say why and how. Read by the measurement's own rules.
 */
export const statementsOf = (file: string): readonly string[] =>
  statementsIn(file).map(({ text }) => text);

/** The statements of a file, each with what stands above it. */
export function statementsIn(file: string, path?: string): readonly Statement[] {
  const statements: Statement[] = [];
  const named = subjectsOf(file, path);
  let headings: readonly Above[] = [];
  /** The line before a list, and the items that one stands below. */
  let outer: readonly Above[] = [];
  let open: string[] = [];
  let isReason = false;
  /** How far an item is indented; undefined outside of lists and tables. */
  let indent: number | undefined;
  const close = () => {
    const text = open.join(' ').trim();
    const level = indent ?? PARAGRAPH;
    open = [];
    indent = undefined;
    if (text === '') return;
    outer = outer.filter((each) => each.level < level);
    const about = [...named, ...[...headings, ...outer].map((each) => each.text)];
    if (!isReason) statements.push(...sentencesOf(text).map((each) => ({ text: each, about })));
    if (level !== PARAGRAPH || text.endsWith(':')) outer = [...outer, { level, text }];
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
    const heading = fence === undefined ? headingOf(text) : undefined;
    if (fence === 'edge' || text === '' || heading !== undefined || RULE.test(text)) {
      close();
      if (heading === undefined) continue;
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      outer = [];
      continue;
    }
    const item = ITEM.exec(text);
    if (item !== null || text.startsWith('|')) {
      close();
      indent = line.search(/[^\s>]/);
    }
    const said = text.startsWith('|') ? cellsOf(text) : text.slice(item?.[0].length ?? 0);
    if (REASON.test(said)) {
      const at = indent;
      close();
      indent = at;
      isReason = true;
    }
    open.push(said);
  }
  close();
  return statements.filter(({ text }) => saysSomething(text));
}

interface Above {
  readonly level: number;
  readonly text: string;
}

/** Above every item. */
const PARAGRAPH = -1;

/** Name and description of the header, and the name of the file. */
function subjectsOf(file: string, path = ''): readonly string[] {
  const [header = ''] = HEADER.exec(withoutComments(file)) ?? [];
  const fields = [...header.matchAll(/^(?:name|description):[ \t]*(\S.*)$/gm)].map(
    ([, value = '']) => value.trim().replace(/^(["'])(.*)\1$/, '$2'),
  );
  const name = path.replace(/^.*[/\\]/, '').replace(/\.md$/, '');
  return [...fields, name.replace(/[-_.]+/g, ' ')].filter((each) => each.trim() !== '');
}

/** A heading, or a line that is bold as a whole. */
function headingOf(text: string): Above | undefined {
  const marks = HEADING.exec(text)?.[1];
  if (marks !== undefined) return { level: marks.length, text: text.slice(marks.length).trim() };
  const bold = /^(?:\*\*|__)([^*_]+)(?:\*\*|__):?$/.exec(text)?.[1];
  return bold === undefined || REASON.test(text) ? undefined : { level: BOLD, text: bold };
}

const BOLD = 7;

/** Behind the header, without comments. */
export const bodyOf = (file: string): string => withoutComments(file).replace(HEADER, '');

const withoutComments = (file: string): string =>
  file.replace(/^﻿/, '').replace(/<!--[\s\S]*?-->/g, '');

const HEADER = /^\s*---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const HEADING = /^(#{1,6})(?:\s|$)/;
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
    const isCut =
      last !== undefined &&
      (ABBREVIATION.test(last) ||
        isCutInDate(last, segment) ||
        !/\p{L}{2}.*\s/u.test(segment.trim()));
    if (isCut) sentences[sentences.length - 1] = last + segment;
    else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim());
}

const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|no|mr|mrs|ms|dr|st|approx|ca|incl|cf|z\.\s?b|d\.\s?h|u\.\s?a|bzw|nr|vgl|usw|inkl|ggf|evtl|abs)\.)\s*$/i;

/** Neither a heading's stump nor a line of links alone. */
const saysSomething = (statement: string): boolean => {
  const rest = statement
    .replace(/\[\[[^\]]*\]\]/g, '')
    .replace(/^(?:see(?: also)?|related|links?|siehe)\b:?/i, '');
  return /[\p{L}\p{N}]/u.test(rest);
};
