/** The look of some characters; each row is cut where it changes. */
interface Look {
  readonly color?: string | undefined;
  readonly background?: string | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
}

interface Piece {
  readonly text: string;
  readonly look: Look;
  /** In columns. */
  readonly at: number;
}

const COLUMN = 8.4;
const ROW = 19;
const MARGIN = 16;
const PAPER = '#14161b';
const INK = '#d8dbe2';
/** The sixteen colours that a terminal names. */
const COLORS = [
  ...['#3b4048', '#f2777a', '#99cc99', '#ffcc66', '#6699cc', '#cc99cc', '#66cccc', '#d3d0c8'],
  ...['#747a85', '#ff9a9d', '#b9e3b9', '#ffe09a', '#8fbbe8', '#e3b9e3', '#8fe3e3', '#ffffff'],
];

/** A screen as `tmux capture-pane -e` prints it, as a picture. */
export function toSvg(
  screen: string,
  { title, columns }: { title: string; columns: number },
): string {
  const rows = screen.replace(/\s+$/, '').split('\n').map(piecesOf);
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = rows.length * ROW + 2 * MARGIN;
  const drawn = rows.map((pieces, row) => drawRow(pieces, MARGIN + (row + 0.72) * ROW));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${INK}" xml:space="preserve">`,
    ...drawn.filter((row) => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The rows of a picture as text: what a fresh one is compared with. */
export const textOf = (svg: string): string =>
  [...svg.matchAll(/<text [^>]*y="([\d.]+)"[^>]*>([^<]*)<\/text>/g)]
    .reduce<{ y: string; text: string }[]>((rows, [, y = '', text = '']) => {
      const last = rows.at(-1);
      if (last?.y === y) last.text += unescaped(text);
      else rows.push({ y, text: unescaped(text) });
      return rows;
    }, [])
    .map(({ text }) => text.trimEnd())
    .join('\n');

function drawRow(pieces: readonly Piece[], y: number): string {
  return pieces
    .filter(({ text, look }) => text.trim() !== '' || backgroundOf(look) !== undefined)
    .map((piece) => drawPiece(piece, y))
    .join('');
}

function drawPiece({ text, look, at }: Piece, y: number): string {
  const x = (MARGIN + at * COLUMN).toFixed(1);
  const width = ([...text].length * COLUMN).toFixed(1);
  const background = backgroundOf(look);
  const box =
    background === undefined
      ? ''
      : `<rect x="${x}" y="${(y - 0.72 * ROW).toFixed(1)}" width="${width}" height="${ROW}" fill="${background}"/>`;
  const color = look.isInverse ? (look.background ?? PAPER) : look.color;
  const style = [
    color === undefined ? '' : ` fill="${color}"`,
    look.isBold ? ' font-weight="bold"' : '',
    look.isDim ? ' opacity="0.6"' : '',
    look.isItalic ? ' font-style="italic"' : '',
    look.isUnderlined ? ' text-decoration="underline"' : '',
  ].join('');
  return `${box}<text x="${x}" y="${y.toFixed(1)}" textLength="${width}"${style}>${escaped(text)}</text>`;
}

const backgroundOf = ({ isInverse, color, background }: Look): string | undefined =>
  isInverse ? (color ?? INK) : background;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

function piecesOf(row: string): Piece[] {
  const pieces: Piece[] = [];
  let [look, at]: [Look, number] = [{}, 0];
  for (const [index, part] of row.split(SEQUENCE).entries()) {
    if (index % 2 === 1) look = changed(look, part.split(';').map(Number));
    else if (part !== '') {
      pieces.push({ text: part, look, at });
      at += [...part].length;
    }
  }
  return pieces;
}

function changed(before: Look, codes: readonly number[]): Look {
  let look = before;
  const rest = [...codes];
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 38) look = { ...look, color: colorOf(rest) };
    else if (code === 48) look = { ...look, background: colorOf(rest) };
    else look = lookAfter(look, code);
  }
  return look;
}

function lookAfter(look: Look, code: number): Look {
  if (code === 0) return {};
  if (code >= 30 && code <= 37) return { ...look, color: COLORS[code - 30] };
  if (code >= 90 && code <= 97) return { ...look, color: COLORS[code - 82] };
  if (code >= 40 && code <= 47) return { ...look, background: COLORS[code - 40] };
  if (code >= 100 && code <= 107) return { ...look, background: COLORS[code - 92] };
  const change = CHANGES[code];
  return change === undefined ? look : { ...look, ...change };
}

const CHANGES: Readonly<Record<number, Look>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  39: { color: undefined },
  49: { background: undefined },
};

/** Behind 38 or 48: `5;n` or `2;r;g;b`. */
function colorOf(rest: number[]): string | undefined {
  if (rest.shift() === 2) {
    const [red = 0, green = 0, blue = 0] = rest.splice(0, 3);
    return `rgb(${red},${green},${blue})`;
  }
  const index = rest.shift() ?? 0;
  if (index < 16) return COLORS[index];
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey},${grey},${grey})`;
  }
  const [red, green, blue] = [
    Math.floor((index - 16) / 36),
    Math.floor((index - 16) / 6) % 6,
    (index - 16) % 6,
  ];
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  return `rgb(${level(red)},${level(green)},${level(blue)})`;
}
