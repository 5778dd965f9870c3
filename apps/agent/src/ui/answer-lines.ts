import { FENCE, isTableRow, isTableRule, tableRows } from './table.ts';

/** An answer in plain lines, written as it arrives but for tables, which are drawn in columns when they have ended. */
export function createAnswerLines(write: (text: string) => void) {
  let line = '';
  /** How much of the line is written. */
  let written = 0;
  let table: string[] = [];
  let isCode = false;

  function add(piece: string): void {
    line += piece;
    if (!isCode && /^\s{0,3}(?:\||$)/.test(line)) return; // it may be a row
    endTable();
    write(line.slice(written));
    written = line.length;
  }

  function endLine(): void {
    if (FENCE.test(line)) isCode = !isCode;
    const isRow = !isCode && isTableRow(line);
    if (!isRow || (table.length === 1 && !isTableRule(line))) endTable();
    if (isRow) table.push(line);
    else write(`${line.slice(written)}\n`);
    [line, written] = ['', 0];
  }

  function endTable(): void {
    const asItIs = (text: string) => text;
    const rows =
      table.length < 2
        ? table
        : tableRows(table, Number.MAX_SAFE_INTEGER, { cell: asItIs, head: asItIs }).flat();
    table = [];
    for (const row of rows) write(`${row}\n`);
  }

  return {
    stream(text: string): void {
      const [first = '', ...rest] = text.split('\n');
      add(first);
      for (const next of rest) {
        endLine();
        add(next);
      }
    },
    /** What comes next begins on a line of its own. */
    end(): void {
      if (line !== '') endLine();
      endTable();
      isCode = false;
    },
  };
}
