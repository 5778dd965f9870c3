import { styleText } from 'node:util';
import { type Component, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { clean } from './clean.ts';
import { FENCE, isTableRow, isTableRule, tableRows } from './table.ts';

/** What a line is, which decides how it looks. */
export type Tone =
  | 'answer'
  | 'thinking'
  | 'person'
  | 'call'
  | 'failure'
  | 'note'
  | 'plain'
  | 'warning';

/** Lines that stay components; those before them are left to the terminal. */
const MOST_LINES = 2_000;
/** They go in batches, since each batch moves all that the renderer remembers. */
const BATCH = 500;
/** A longer line is shown as it is: its style would change rows that have scrolled away. */
const MOST_STYLED = 400;

interface Line {
  text: string;
  readonly tone: Tone;
  /** Within a code block of an answer. */
  isCode: boolean;
  rows?: { readonly width: number; readonly list: readonly string[] } | undefined;
  /** Where it is a row of a table. */
  table?: Table | undefined;
}

/** Rows of a table, which are drawn when it has ended: each may make a column wider. */
interface Table {
  readonly lines: Line[];
  hasEnded: boolean;
  drawn?: { readonly width: number; readonly rows: readonly (readonly string[])[] } | undefined;
}

/** The conversation so far, as a component of the screen. */
export interface Transcript extends Component {
  /** Whole lines. */
  add(text: string, tone: Tone): void;
  /** Text that goes on where the last one of its tone ended. */
  stream(text: string, tone: Tone): void;
  /** What is streamed next begins on a line of its own. */
  endStream(): void;
  /** Whether there are so many lines that some can be dropped. */
  isLong(): boolean;
  /**
   * Drops lines from the beginning, as many as there are too many and have no row below `mostRows`. Returns how many rows at
   * this width went with them.
   */
  collapse(width: number, mostRows: number): number;
}

/**
 * Creates a transcript. Each line of a text is styled by itself, so that what has scrolled away never changes while an answer
 * grows, and the screen is never drawn anew for it.
 */
export function createTranscript(): Transcript {
  let lines: Line[] = [];
  let growing: Line | undefined;
  let isCode = false;
  let drawn: { readonly width: number; readonly rows: string[] } | undefined;
  /** The table that the last lines are, as far as it has come. */
  let table: Table | undefined;

  function push(text: string, tone: Tone): Line {
    const isFence = tone === 'answer' && FENCE.test(text);
    const line: Line = { text, tone, isCode: isCode && !isFence };
    lines.push(line);
    drawn = undefined;
    return line;
  }

  /** A line that will not grow any more: it may open or close a code block. */
  function close(line: Line): void {
    if (line.tone === 'answer' && FENCE.test(line.text)) isCode = !isCode;
    const isRow = line.tone === 'answer' && !line.isCode && isTableRow(line.text);
    if (!isRow || (table?.lines.length === 1 && !isTableRule(line.text))) endTable();
    if (!isRow) return;
    table ??= { lines: [], hasEnded: false };
    table.lines.push(line);
    line.table = table;
    line.rows = undefined;
  }

  function endTable(): void {
    if (table === undefined) return;
    table.hasEnded = true;
    for (const line of table.lines) {
      line.rows = undefined;
      if (table.lines.length < 2) line.table = undefined;
    }
    table = undefined;
    drawn = undefined;
  }

  return {
    add(text, tone) {
      this.endStream();
      for (const line of text.split('\n')) close(push(line, tone));
      endTable();
      isCode = false;
    },
    stream(text, tone) {
      if (growing !== undefined && growing.tone !== tone) this.endStream();
      const [first = '', ...rest] = text.split('\n');
      if (growing === undefined) growing = push(first, tone);
      else {
        growing.text += first;
        growing.rows = undefined;
      }
      for (const next of rest) {
        close(growing);
        growing = push(next, tone);
      }
      if (/^\s*[^\s|]/.test(growing.text)) endTable();
      drawn = undefined;
    },
    endStream() {
      if (growing !== undefined) {
        // an answer that ends with a line feed leaves no empty line
        if (growing.text === '' && lines.at(-1) === growing) lines.pop();
        else close(growing);
      }
      endTable();
      growing = undefined;
      isCode = false;
      drawn = undefined;
    },
    isLong: () => lines.length >= MOST_LINES + BATCH,
    collapse(width, mostRows) {
      let [count, rows] = [0, 0];
      for (const line of lines.slice(0, lines.length - MOST_LINES)) {
        const next = rows + rowsOf(line, width).length;
        if (next > mostRows) break;
        rows = next;
        count += 1;
      }
      lines = lines.slice(count);
      drawn = undefined;
      return rows;
    },
    render(width) {
      if (drawn?.width !== width)
        drawn = { width, rows: lines.flatMap((line) => rowsOf(line, width)) };
      return drawn.rows;
    },
    invalidate() {
      for (const line of lines) line.rows = undefined;
      drawn = undefined;
    },
  };
}

function rowsOf(line: Line, width: number): readonly string[] {
  if (line.rows?.width === width) return line.rows.list;
  const list = rowsInTable(line, width) ?? wrapLine(line, width);
  line.rows = { width, list };
  return list;
}

/** Of a table that goes on, its head as it was written; undefined for a line of no table. */
function rowsInTable(line: Line, width: number): readonly string[] | undefined {
  const { table } = line;
  const at = table?.lines.indexOf(line) ?? -1;
  if (table === undefined || (at === 0 && !table.hasEnded)) return undefined;
  if (!table.hasEnded) return [];
  if (table.drawn?.width !== width) {
    const texts = table.lines.map(({ text }) => clean(text));
    const rows = tableRows(texts, width, { cell: markdown, head: style.bold });
    table.drawn = { width, rows };
  }
  return table.drawn.rows[at];
}

/** Of a plain line that is indented, what does not fit stands below it, as far in and two columns more. */
function wrapLine(line: Line, width: number): string[] {
  const indent = line.tone === 'plain' ? (/^ {1,8}(?=\S)/.exec(line.text)?.[0] ?? '') : '';
  const inner = width - indent.length - 2;
  if (indent === '' || inner < 20) {
    const rows = wrapTextWithAnsi(styled(line), width);
    return rows.length === 0 ? [''] : rows;
  }
  const [first = '', ...rest] = wrapTextWithAnsi(styled(line).slice(indent.length), inner);
  return [`${indent}${first}`, ...rest.map((row) => `${indent}  ${row}`)];
}

/** The only way to the screen: nothing that a model, a tool or a file says reaches it but through `clean`. */
function styled({ text, tone, isCode }: Line): string {
  const shown = clean(text);
  switch (tone) {
    case 'answer':
      return shown.length > MOST_STYLED ? shown : isCode ? style.code(shown) : markdown(shown);
    case 'thinking':
    case 'note':
      return style.dim(shown);
    case 'person':
      return style.person(shown);
    case 'call':
      return style.dim(shown).replace('✓', style.good('✓'));
    case 'failure':
      return style.bad(shown);
    case 'warning':
      return style.warning(shown);
    case 'plain':
      return shown;
  }
}

/** Markdown of one line: headings, bold text and code; everything else stays as it was written. */
function markdown(line: string): string {
  if (FENCE.test(line)) return style.dim(line);
  if (/^#{1,6} /.test(line)) return style.bold(line);
  return line
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1
        ? style.code(part.slice(1, -1))
        : part.replace(/\*\*(\S(?:.*?\S)?)\*\*/g, (_, bold: string) => style.bold(bold)),
    )
    .join('');
}

type Format = Parameters<typeof styleText>[0];
const by = (format: Format) => (text: string) => (text === '' ? text : styleText(format, text));

/** Colours; none where `NO_COLOR` or the terminal says so. */
export const style = {
  bold: by('bold'),
  dim: by('dim'),
  code: by('cyan'),
  person: by(['bold', 'blue']),
  good: by('green'),
  bad: by('red'),
  warning: by('yellow'),
};
