/** A column of a table of text. */
export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly cell: (row: Row) => string;
  /** Longer cells are cut and end in an ellipsis. @default no limit */
  readonly maxCharacters?: number | undefined;
}

/** Lines of an aligned table with a rule below the titles; no line ends in a space. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => cut(column.cell(row), column.maxCharacters))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => (line[at] ?? '').length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => pad(cell, widths[at] ?? 0, columns[at]?.align))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

/** Lines of the same table in Markdown. */
export function formatMarkdownTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((column) => escapePipes(column.cell(row))))),
  ];
}

const pad = (cell: string, width: number, align: 'left' | 'right' = 'left'): string =>
  align === 'right' ? cell.padStart(width) : cell.padEnd(width);

/** Names differ at their ends more often than at their beginnings, so the middle goes. */
function cut(cell: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  if (cell.length <= maxCharacters) return cell;
  const tail = Math.ceil((maxCharacters - 1) * 0.6);
  return `${cell.slice(0, maxCharacters - 1 - tail)}…${cell.slice(cell.length - tail)}`;
}

const escapePipes = (cell: string): string => cell.replaceAll('|', '\\|');
