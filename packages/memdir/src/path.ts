import { bytesOf } from './index-limits.ts';

/** Why a path is refused. */
export type PathProblem =
  | 'empty'
  | 'too-long'
  | 'control-character'
  | 'absolute'
  | 'leaves-the-folder'
  | 'encoded'
  | 'backslash'
  | 'reserved-name'
  | 'hidden'
  | 'not-markdown'
  | 'index';

export type CheckedPath =
  | { readonly kind: 'ok'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: PathProblem; readonly message: string };

const MESSAGES: Readonly<Record<PathProblem, string>> = {
  empty: 'The path is empty: give a file name such as `build.md`.',
  'too-long': 'The path is too long: a name has at most 200 bytes, a path 1,000.',
  'control-character': 'The path holds a control character: take it out.',
  absolute: 'The path is absolute: give one relative to the memory folder.',
  'leaves-the-folder': 'The path leads out of the memory folder: give one without `..`.',
  encoded:
    'The path is encoded or holds look-alikes of `.`, `/` or `:`, or marks that are not seen: write them plainly.',
  backslash: 'The path holds a backslash: separate folders with `/`.',
  'reserved-name':
    'A system cannot hold this name (a device, a colon, a dot or blank at its end): take another one.',
  hidden:
    'Names that begin with a dot are kept for the archive and the inbox, and `node_modules` is not looked into: take another one.',
  'not-markdown': 'A memory is a Markdown file: end the name in `.md`.',
  index: 'MEMORY.md is the index, not a memory: save a topic file, its line follows.',
};

export const MOST_NAME_BYTES = 200;
const MOST_PATH_BYTES = 1_000;

/** Devices of Windows, whatever follows a dot; also with the raised digits that it reads as digits. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\..*)?$/i;
/** What a drive, a share, a home or a stream of another system begins with. */
const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;

/** Holds a path of a memory file that is to be written to what every system can hold, inside of the folder. */
export function checkPath(given: string): CheckedPath {
  const reason = problemOf(given);
  if (reason !== undefined) return { kind: 'refused', reason, message: MESSAGES[reason] };
  return { kind: 'ok', path: given.normalize('NFC') };
}

function problemOf(given: string): PathProblem | undefined {
  const text = given.normalize('NFC');
  if (text.trim() === '') return 'empty';
  if (bytesOf(text) > MOST_PATH_BYTES) return 'too-long';
  if (CONTROL.test(text) || /\p{Surrogate}/u.test(text)) {
    return 'control-character';
  }
  if (ABSOLUTE.test(text)) return 'absolute';
  if (text.includes('\\')) return 'backslash';
  const names = text.split('/');
  if (names.some((name) => /^\.\.?$/.test(name))) return 'leaves-the-folder';
  if (isEncoded(text)) return 'encoded';
  if (names.some((name) => name === '' || isReserved(name))) return 'reserved-name';
  if (names.some((name) => bytesOf(name) > MOST_NAME_BYTES)) return 'too-long';
  if (names.some(isPassedOver)) return 'hidden';
  if (!/\.md$/i.test(text)) return 'not-markdown';
  if (isIndex(text)) return 'index';
  return undefined;
}

/** Whether a list leaves out what has this name: nothing is written where nothing is looked for. */
export const isPassedOver = (name: string): boolean =>
  name.startsWith('.') || name.toLowerCase() === 'node_modules';

/** What another reader may take for `.`, `/`, `\` or `:`: percent signs with digits, and wide and small forms of them. */
function isEncoded(text: string): boolean {
  if (/%[0-9a-f]{2}/i.test(text) || UNSEEN.test(text)) return true;
  const marks = (each: string): string => each.replace(/[^./\\:%]/g, '');
  const folded = text.normalize('NFKC').replace(/[\u2024\u2044\u2215\u29F8\uFE68\u2216]/g, '/');
  return marks(folded) !== marks(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/;

/** Marks without a shape, which some disks do not tell from nothing. */
const UNSEEN = /[\u00AD\u180E\u200B-\u200F\u2060-\u2064\u206A-\u206F\uFEFF]/;

/** The short form in which Windows knows a longer name too: `ARCHIV~1` is `.archive`. */
const SHORT = /^[^./]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** Whether some system cannot hold a file or folder of this name. */
export const isReserved = (name: string): boolean =>
  DEVICE.test(name) ||
  SHORT.test(name) ||
  /[<>:"|?*]/.test(name) ||
  /[. ]$/.test(name) ||
  /^ /.test(name);

export const INDEX_NAME = 'MEMORY.md';
export const TEAM_INDEX = `team/${INDEX_NAME}`;

/** Whether a path is that of an index, also on a disk that does not tell cases apart. */
export const isIndex = (path: string): boolean => /(?:^|\/)memory\.md$/i.test(path);

/** Whether a file is the log of a day: what consolidation reads, and no memory. */
export const isDailyLog = (path: string): boolean =>
  /^logs\/(\d{4})\/(\d{2})\/\1-\2-\d{2}\.md$/i.test(path);

/** Whether a file stands in the folder of the team, also on a disk that does not tell cases apart. */
export const isOfTeam = (path: string): boolean => /^team\//i.test(path);

/** The folder of a path, empty for the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether two paths are one: names in composed and decomposed form are. */
export const isSamePath = (one: string, other: string): boolean =>
  one === other || one.normalize('NFC') === other.normalize('NFC');

/** The one of some files that a path names: the very same, else in the other form. */
export const findPath = <Item extends { readonly path: string }>(
  items: readonly Item[],
  path: string,
): Item | undefined =>
  items.find((each) => each.path === path) ?? items.find((each) => isSamePath(each.path, path));

/** Paths that some disk holds to be one have one key. */
export const pathKey = (path: string): string => path.normalize('NFC').toLowerCase();

/** A file at this path on some disk, one that stands where the path has a folder, or one in a folder of this name. */
export function inTheWay(path: string, standing: readonly string[]): string | undefined {
  const key = pathKey(path);
  return standing.find((each) => {
    const there = pathKey(each);
    return there === key || key.startsWith(`${there}/`) || there.startsWith(`${key}/`);
  });
}

/**
 * Where a link leads that stands in a file of `folder`, as a path; undefined where it leaves the memory folder. Nothing is
 * opened for it.
 */
export function resolveLink(folder: string, target: string): string | undefined {
  const written = target.replace(/[#?].*$/, '');
  if (ABSOLUTE.test(written) || /^[/\\]/.test(decode(written))) return undefined;
  const names = folder === '' ? [] : folder.split('/');
  // A backslash that is encoded belongs to a name; it leads nowhere but on Windows, where no name holds one.
  for (const name of written.split(/[/\\]/).flatMap((each) => decode(each).split('/'))) {
    if (name === '' || name === '.') continue;
    if (/(?:^|\\)\.\.\\|\\\.\.$/.test(name)) return undefined;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}
