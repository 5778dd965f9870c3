import { readdir, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { codeOf } from '@varve/guards';
import { z } from 'zod';
import { type LineRange, pathIn } from './files.ts';
import { IMAGES, imageTypeOf, MOST_IMAGE_BYTES } from './images.ts';
import { defineTool, type ToolOutput } from './tool.ts';

const MOST_LINES = 2_000;
const MOST_LINE_CHARS = 2_000;
const MOST_CHARS = 100_000;
/** A larger file is not read into memory. */
const MOST_BYTES = 256 * 2 ** 20;

export const readTool = defineTool({
  name: 'Read',
  description: `Reads a file. Text comes with line numbers, up to ${MOST_LINES} lines from \`offset\` on; the numbers and the tab behind them are not part of the file. Images are shown. A file has to be read before it can be changed with Edit or Write.`,
  input: z.object({
    file_path: z.string().min(1).describe('The path of the file, best absolute'),
    offset: z.int().min(1).optional().describe('The first line, counted from 1'),
    limit: z.int().min(1).optional().describe('How many lines'),
  }),
  reads: true,
  async run({ file_path, offset = 1, limit = MOST_LINES }, { cwd, files }) {
    const path = pathIn(cwd, file_path);
    const { isFolder } = await lookAt(path);
    if (isFolder) throw new Error(`${path} is a folder. Use LS to list it.`);
    const image = IMAGES[extname(path).toLowerCase()];
    const bytes = await readFile(path);
    if (image !== undefined) return showImage(path, bytes);
    if (bytes.subarray(0, 8_000).includes(0))
      throw new Error(`${path} is a binary file of ${bytes.length} bytes, which Read cannot show.`);
    const whole = (await files.open(path)) ?? bytes.toString('utf8');
    const { text, ...read } = showLines(whole.replace(/^\uFEFF/, ''), {
      ...{ offset, limit },
    });
    await files.see(path, read);
    return text;
  },
});

async function lookAt(path: string): Promise<{ readonly isFolder: boolean }> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory())
      throw new Error(`${path} is no regular file, and reading it might never end.`);
    if (found.isFile() && found.size > MOST_BYTES)
      throw new Error(`${path} has ${found.size} bytes. Look into it with Grep or a command.`);
    return { isFolder: found.isDirectory() };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new Error(`There is no file ${path}.${await likeNames(path)}`);
  }
}

/** Files beside it with another ending, or another case. */
async function likeNames(path: string): Promise<string> {
  const at = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, at) || '/', path.slice(at + 1).toLowerCase()];
  const stem = name.replace(/\.[^.]*$/, '');
  const names = await readdir(folder).catch(() => []);
  const like = names.filter((each) => each.toLowerCase().replace(/\.[^.]*$/, '') === stem);
  return like.length === 0 ? '' : ` Beside it there is: ${like.slice(0, 5).join(', ')}.`;
}

function showImage(path: string, bytes: Buffer): ToolOutput {
  const media_type = imageTypeOf(bytes);
  if (media_type === undefined)
    throw new Error(
      `${path} is no image that can be shown (PNG, JPEG, GIF, WebP), whatever its name. Look at it with a command such as file.`,
    );
  if (bytes.length > MOST_IMAGE_BYTES)
    throw new Error(`${path} has ${bytes.length} bytes; ${MOST_IMAGE_BYTES} can be shown.`);
  const source = { type: 'base64', media_type, data: bytes.toString('base64') };
  return { content: [{ type: 'image', source }] };
}

interface ShownLines {
  readonly text: string;
  /** Up to the first line of which a part is left out. */
  readonly shown: LineRange;
  readonly lines: number;
}

function showLines(
  text: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ShownLines {
  if (text === '') return { text: 'The file is empty.', ...NONE, lines: 0 };
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (offset > lines.length)
    return { text: `The file has ${lines.length} lines only.`, ...NONE, lines: lines.length };
  const shown: string[] = [];
  let chars = 0;
  let whole = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const isCut = line.length > MOST_LINE_CHARS;
    const cut = isCut ? `${line.slice(0, MOST_LINE_CHARS)}…` : line;
    chars += cut.length;
    if (chars > MOST_CHARS && shown.length > 0) break;
    if (!isCut && whole === shown.length) whole += 1;
    shown.push(`${String(offset + shown.length).padStart(6)}\t${cut}`);
  }
  const next = offset + shown.length;
  const more = next <= lines.length ? `\n\n(${lines.length} lines; go on with offset ${next})` : '';
  return {
    text: `${shown.join('\n')}${more}`,
    shown: { from: offset, to: offset + whole - 1 },
    lines: lines.length,
  };
}

const NONE = { shown: { from: 1, to: 0 } };
