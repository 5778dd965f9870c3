import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { pathIn } from './files.ts';
import { defineTool } from './tool.ts';

export const notebookTool = defineTool({
  name: 'NotebookEdit',
  description:
    'Changes one cell of a Jupyter notebook (.ipynb): replaces its source, inserts a new cell behind it, or deletes it. The file has to be read first.',
  input: z.object({
    notebook_path: z.string().min(1).describe('The path of the notebook, best absolute'),
    cell_id: z
      .string()
      .optional()
      .describe('The `id` of the cell, or its number from 0; without it, insert at the beginning'),
    new_source: z.string().optional().describe('The source; not to delete'),
    cell_type: z
      .enum(['code', 'markdown'])
      .optional()
      .describe('Of a new cell; `code` if not given'),
    edit_mode: z
      .enum(['replace', 'insert', 'delete'])
      .optional()
      .describe('`replace` if not given'),
  }),
  reads: false,
  risk: 'edits',
  async run(
    { notebook_path, edit_mode: mode = 'replace', ...given },
    { cwd, files, callId, emit },
  ) {
    const path = pathIn(cwd, notebook_path);
    if (!path.endsWith('.ipynb')) throw new Error(`${path} is no notebook. Use Edit.`);
    await files.requireSeen(path);
    const text = await files.read(path);
    const notebook = readNotebook(path, text);
    const did = editCells(notebook, mode, given);
    const indent = /^\s*\{\r?\n?([ \t]*)/.exec(text)?.[1] || ' ';
    const end = text.endsWith('\n') ? '\n' : '';
    const after = `${JSON.stringify(notebook, undefined, indent)}${end}`;
    await files.write(path, after);
    await files.seeEdited(path);
    emit({ kind: 'call-change', id: callId, path, before: text, after });
    return `${did} ${path}, which has ${notebook.cells.length} cells.`;
  },
});

const notebookSchema = z.looseObject({
  cells: z.array(
    z.looseObject({
      id: z.string().optional(),
      cell_type: z.string(),
      source: z.union([z.string(), z.array(z.string())]),
    }),
  ),
  nbformat: z.number().optional(),
  nbformat_minor: z.number().optional(),
});
type Notebook = z.infer<typeof notebookSchema>;

function readNotebook(path: string, text: string): Notebook {
  try {
    return notebookSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not as a notebook should be. Use Edit to mend it.`);
  }
}

interface CellEdit {
  readonly cell_id?: string | undefined;
  readonly new_source?: string | undefined;
  readonly cell_type?: 'code' | 'markdown' | undefined;
}

function editCells(
  notebook: Notebook,
  mode: 'replace' | 'insert' | 'delete',
  { cell_id, new_source, cell_type }: CellEdit,
): string {
  const { cells } = notebook;
  const at = cell_id === undefined ? -1 : indexOf(cells, cell_id);
  if (mode !== 'insert' && at < 0) throw new Error('cell_id is missing.');
  if (mode === 'delete') {
    cells.splice(at, 1);
    return 'Deleted a cell of';
  }
  if (new_source === undefined) throw new Error('new_source is missing.');
  if (mode === 'insert') {
    cells.splice(at + 1, 0, newCell(notebook, new_source, cell_type ?? 'code'));
    return 'Inserted a cell into';
  }
  const cell = cells[at] as Notebook['cells'][number];
  cell.source = linesOf(new_source);
  cell.cell_type = cell_type ?? cell.cell_type;
  if (cell.cell_type === 'code')
    Object.assign(cell, EMPTY); // what it printed was printed by another source
  else for (const name of Object.keys(EMPTY)) delete cell[name];
  return 'Replaced a cell of';
}

const EMPTY = { execution_count: null, outputs: [] };

function newCell({ nbformat = 4, nbformat_minor = 0 }: Notebook, text: string, cell_type: string) {
  const hasIds = nbformat > 4 || (nbformat === 4 && nbformat_minor >= 5);
  return {
    cell_type,
    ...(hasIds && { id: randomBytes(4).toString('hex') }),
    metadata: {},
    source: linesOf(text),
    ...(cell_type === 'code' && EMPTY),
  };
}

function indexOf(cells: Notebook['cells'], id: string): number {
  const byId = cells.findIndex((cell) => cell.id === id);
  const at = byId < 0 && /^(?:cell-)?\d+$/.test(id) ? Number(id.replace('cell-', '')) : byId;
  if (at < 0 || at >= cells.length)
    throw new Error(`There is no cell ${id}; there are ${cells.length} cells.`);
  return at;
}

/** As notebooks keep a source: lines, each with its line feed. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
