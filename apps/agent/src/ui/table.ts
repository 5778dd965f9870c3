import { visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';

/** The line before and behind code. */
export const FENCE = /^\s*(?:```|~~~)/;

/** Whether a line of Markdown may be a row of a table. */
export const isTableRow = (line: string): boolean => /^\s{0,3}\|.*\S/.test(line);

/** Whether a line stands between the head of a table and its rows. */
export const isTableRule = (line: string): boolean =>
  /^\s{0,3}\|[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\s*$/.test(line);

/** Columns of a cell at least; where there is room for less, each row is a list. */
const LEAST = 5;
const GAP = ' │ ';

/** A table of Markdown in so many columns: the rows of the screen for each of its lines. `style` draws the text of a cell. */
export function tableRows(
  lines: readonly string[],
  width: number,
  style: { readonly cell: (text: string) => string; readonly head: (text: string) => string },
): string[][] {
  const [headLine = '', rule = '', ...bodyLines] = lines;
  const head = cellsOf(headLine).map((text) => style.head(style.cell(text)));
  const body = bodyLines.map((line) => cellsOf(line).map(style.cell));
  const count = Math.max(head.length, ...body.map((row) => row.length));
  const room = width - GAP.length * (count - 1);
  if (room < count * LEAST) return [[], [], ...body.map((row) => listOf(head, row, width))];
  const widths = fitted(
    Array.from({ length: count }, (_, at) =>
      Math.max(1, ...[head, ...body].map((row) => visibleWidth(row[at] ?? ''))),
    ),
    room,
  );
  const sides = cellsOf(rule).map(sideOf);
  const draw = (row: readonly string[]): string[] => {
    const cells = widths.map((columns, at) => wrapTextWithAnsi(row[at] ?? '', columns));
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, at) =>
      widths
        .map((columns, cell) => padded(cells[cell]?.[at] ?? '', columns, sides[cell] ?? 'left'))
        .join(GAP)
        .trimEnd(),
    );
  };
  return [
    draw(head),
    [widths.map((columns) => '─'.repeat(columns)).join('─┼─')],
    ...body.map(draw),
  ];
}

/** What stands between the bars of a row; a bar behind a backslash, or within code, is text. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '');
  const cells = inner.match(/(?:\\.|`[^`]*`|[^|])*(?:\||$)/g) ?? [];
  const texts = cells.map((cell) => cell.replace(/\|$/, '').replaceAll('\\|', '|').trim());
  while (texts.length > 1 && texts.at(-1) === '') texts.pop();
  return texts;
}

type Side = 'left' | 'right' | 'middle';

const sideOf = (rule: string): Side =>
  rule.endsWith(':') ? (rule.startsWith(':') ? 'middle' : 'right') : 'left';

function padded(text: string, columns: number, side: Side): string {
  const free = Math.max(0, columns - visibleWidth(text));
  const before = side === 'left' ? 0 : side === 'right' ? free : Math.floor(free / 2);
  return `${' '.repeat(before)}${text}${' '.repeat(free - before)}`;
}

/** The widths, the widest of them cut until all fit. */
function fitted(widths: readonly number[], room: number): number[] {
  const fits = (most: number) =>
    widths.reduce((sum, each) => sum + Math.min(each, most), 0) <= room;
  let most = Math.max(...widths);
  while (!fits(most)) most -= 1;
  return widths.map((each) => Math.min(each, most));
}

/** A row where there is no room for columns: a line for each cell, with what its column is called. */
const listOf = (head: readonly string[], row: readonly string[], width: number): string[] => [
  ...row.flatMap((cell, at) =>
    wrapTextWithAnsi(`${head[at] === undefined ? '' : `${head[at]}: `}${cell}`, Math.max(1, width)),
  ),
  '',
];
