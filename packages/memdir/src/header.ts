import { checkOptions, required } from '@varve/guards';
import { checkText } from './check-text.ts';
/** The kinds of memory. */
export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** What stands in the header of a memory file. Both shapes in use are read: flat, and with `metadata:` above `type`. */
export interface Header {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** One of the four, or a word that is none, as it stands there. */
  readonly type?: string | undefined;
  /** When the file was written last, as it stands there. */
  readonly modified?: string | undefined;
  /** Nothing but a person changes the file. */
  readonly pinned?: boolean | undefined;
}

export interface ParsedText {
  readonly header: Header;
  /** Why there is no header. */
  readonly headerProblem?: 'no-header' | 'header-not-closed' | undefined;
  /** Undefined without one. */
  readonly shape?: 'flat' | 'metadata' | undefined;
  readonly body: string;
  /** A byte order mark, comments and blank lines before the fence. */
  readonly lead: string;
  /** Lines of the header that are not ours, each with its end. */
  readonly foreign: readonly string[];
  /** The first characters of the file: how lines end there tells how all do. */
  readonly start: string;
}

const LEAD = /^\uFEFF?(?:\s|<!--[\s\S]*?-->)*/;
const FENCE = /^---[ \t]*(?:\r\n|\n|\r)/;
const CLOSE = /(^|\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/;
/** A longer header has to look like one in each line: else it is text between two rules. */
const MOST_CHARS_UNSEEN = 16_384;

/** Reads a memory file, whatever is in it. Line ends of all systems count, and a byte order mark. */
export function parseText(text: string): ParsedText {
  checkText('text', text);
  const start = text.slice(0, MOST_LOOKED_AT);
  const lead = LEAD.exec(text)?.[0] ?? '';
  const fence = FENCE.exec(text.slice(lead.length, lead.length + 200));
  if (fence === null) {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const body = text.slice(mark.length);
    return { header: {}, headerProblem: 'no-header', lead: mark, foreign: [], body, start };
  }
  const behind = text.slice(lead.length + fence[0].length);
  const close = CLOSE.exec(behind);
  const end = close === null ? 0 : close.index + (close[1] as string).length;
  const inside = linesOf(behind.slice(0, end));
  if (close !== null && (end <= MOST_CHARS_UNSEEN || inside.every(looksLikeHeader))) {
    const body = behind.slice(close.index + close[0].length).replace(/^(?:\r\n|\n|\r)/, '');
    return { ...readLines(inside), lead, body, start };
  }
  return { ...readOpen(behind), headerProblem: 'header-not-closed', lead, start };
}

const MOST_LOOKED_AT = 1_024;

const linesOf = (text: string): readonly string[] =>
  text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];

/** Blank, further in, a comment, a key, an item of a list, or the end of something. */
const looksLikeHeader = (line: string): boolean =>
  /^(?:\s|#|[\]}]|-(?:\s|$)|[^\r\n]*:(?:\s|$))/.test(line);

/** A header without its end: the lines that look like one, if a key of ours is among them. */
function readOpen(text: string): Pick<ParsedText, 'header' | 'shape' | 'foreign' | 'body'> {
  const lines = linesOf(text);
  const ends = lines.findIndex((line) => line.trim() === '' || !looksLikeHeader(line));
  const inside = lines.slice(0, ends < 0 ? lines.length : ends);
  const read = readLines(inside);
  if (read.foreign.length === inside.length) return { header: {}, foreign: [], body: text };
  const body = lines.slice(inside.length).join('');
  return { ...read, body: body.replace(/^(?:\r\n|\n|\r)/, '') };
}

/** How most lines end. */
function lineEndOf(head: string): '\n' | '\r\n' | '\r' {
  const crlf = head.split('\r\n').length - 1;
  const lf = head.split('\n').length - 1 - crlf;
  const cr = head.split('\r').length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}

const OURS = ['name', 'description', 'type', 'modified'];
/** A key that is read, plain or in quotes. Without a blank behind its colon no other colon has one. */
const KEY =
  /^(["']?)(name|description|type|modified|pinned)\1[ \t]*:(?:[ \t]+([^\r\n]*)|(?=[\r\n]|$)|((?:[^:\r\n]|:(?=[^\s]))*))[\r\n]*$/;
const METADATA = /^(["']?)metadata\1[ \t]*:[ \t]*(?:#[^\r\n]*)?[\r\n]*$/;

/** What a header says, and the lines of it that are not ours. What is further in than a key belongs to it. */
function readLines(lines: readonly string[]): Pick<ParsedText, 'header' | 'shape' | 'foreign'> {
  const fields = new Map<string, string>();
  const foreign: string[] = [];

  /** Reads keys that stand as far in as the first one; `from` and `end` are numbers of lines. */
  function readKeys(from: number, end: number, prefix: string): void {
    const first = lines.slice(from, end).find((line) => !isBlankOrComment(line)) ?? '';
    const indent = prefix === '' ? 0 : indentOf(first);
    let at = from;
    while (at < end) {
      const line = lines[at] as string;
      const isHere = indentOf(line) === indent;
      const found = isHere ? KEY.exec(line.slice(indent)) : null;
      const isParent = isHere && prefix === '' && METADATA.test(line);
      if (found === null && !isParent) {
        foreign.push(line);
        at++;
        continue;
      }
      const value = found?.[3] ?? found?.[4] ?? '';
      const isBlock = BLOCK.test(value.trim());
      const quoted = quotedLines(value.trim(), at + 1, end, indent);
      const next = endOf(at + 1 + quoted, end, { indent, isBlock, isEmpty: value.trim() === '' });
      if (isParent) readMetadata(at, next);
      else {
        const key = found?.[2] as string;
        const below = lines.slice(at + 1, next);
        const name = `${prefix}${key}`;
        if (!fields.has(name)) fields.set(name, plainValue(value.trim(), below));
        if (!OURS.includes(key)) foreign.push(line, ...below);
        else if (!isBlock)
          foreign.push(...below.slice(quoted).filter((each) => /^\s*#/.test(each)));
      }
      at = next;
    }
  }

  /** Its line goes when all that stood below it was ours. */
  function readMetadata(at: number, end: number): void {
    const place = foreign.push(lines[at] as string) - 1;
    readKeys(at + 1, end, 'metadata.');
    const left = foreign.slice(place + 1);
    const isEmptied = left.length < end - at - 1 && left.every(isBlankOrComment);
    if (isEmptied) foreign.splice(place, 1);
  }

  /** Where what belongs to a key is over: lines further in, blank ones between them, items of a list. */
  function endOf(from: number, end: number, { indent, isBlock, isEmpty }: Above): number {
    let last = from;
    for (let at = from; at < end; at++) {
      const line = lines[at] as string;
      if (isBlock ? line.trim() === '' : isBlankOrComment(line)) continue;
      const isItem = isEmpty && indentOf(line) === indent && /^\s*-(?:\s|$)/.test(line);
      if (indentOf(line) <= indent && !isItem) break;
      last = at + 1;
    }
    return last;
  }

  /** How many lines below a value that begins with a quote its text goes on in: what looks like a comment there is none. */
  function quotedLines(value: string, from: number, end: number, indent: number): number {
    const mark = value[0];
    if (mark !== '"' && mark !== "'") return 0;
    const closes = mark === '"' ? /^(?:[^"\\]|\\.)*"/ : /^(?:[^']|'')*'(?!')/;
    if (closes.test(value.slice(1))) return 0;
    for (let at = from; at < end; at++) {
      const line = lines[at] as string;
      if (indentOf(line) <= indent && line.trim() !== '') return 0;
      if (closes.test(line)) return at + 1 - from;
    }
    return 0;
  }

  readKeys(0, lines.length, '');
  const of = (key: string): string | undefined =>
    fields.get(key) || fields.get(`metadata.${key}`) || undefined;
  const header: Header = {
    ...{ name: of('name'), description: of('description') },
    ...{ type: of('type'), modified: of('modified') },
    pinned: /^(?:true|yes|on|y|1)$/i.test(of('pinned') ?? ''),
  };
  const shape = fields.has('metadata.type') && !fields.get('type') ? 'metadata' : 'flat';
  return { header, shape, foreign };
}

interface Above {
  readonly indent: number;
  readonly isBlock: boolean;
  /** Whether nothing stands behind its colon. */
  readonly isEmpty: boolean;
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;
const isBlankOrComment = (line: string): boolean => /^\s*(?:#|$)/.test(line);

const BLOCK = /^[|>][+-]?\d?[+-]?(?:\s+#.*)?$/;

/** A plain, quoted or folded value, as one line. */
function plainValue(value: string, below: readonly string[]): string {
  const folded = below.map((line) => line.trim()).filter((line) => line !== '');
  if (BLOCK.test(value)) return folded.join(' ');
  const text = [value, ...folded].join(' ').trim();
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (quoted !== undefined) return unquote(quoted);
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const isNested = value === '' && /^(?:-(?:\s|$)|[^\s:]+:(?:\s|$))/.test(text);
  if (isNested) return '';
  const plain = [value, ...folded.filter((line) => !line.startsWith('#'))];
  return plain
    .map((line) => line.replace(/\s+#.*$/, ''))
    .join(' ')
    .trim();
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // an escape that only YAML knows
  }
}

/** What is written of a header. */
export interface NewHeader {
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  /** Left out where the age is not known. */
  readonly modified?: string | undefined;
}

/**
 * A whole file. Of the one it replaces what stands before the fence, its line ends and the lines that are not ours stay. Half a
 * character, which no file can hold, is U+FFFD.
 */
export function formatText(header: NewHeader, body: string, old?: ParsedText): string {
  checkOptions<NewHeader>(header, { name: required('a text') }, 'header');
  checkText('body', body);
  const lineEnd = old === undefined ? '\n' : lineEndOf(old.start);
  const style = (lines: readonly string[]): string =>
    lines.join('\n').replace(/\r\n|\r|\n/g, lineEnd);
  const ours = Object.entries(header).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${quoteIfNeeded(value)}`],
  );
  const foreign = old?.foreign.map((line) => (/[\r\n]$/.test(line) ? line : `${line}${lineEnd}`));
  const head = `${old?.lead ?? ''}${style(['---', ...ours, ''])}${foreign?.join('') ?? ''}`;
  return `${head}${style(['---', '', body])}`.toWellFormed();
}

/** Plain where YAML reads the text itself, else in double quotes. */
function quoteIfNeeded(text: string): string {
  const isPlain = /^[\p{L}\p{N}(/][^\n\r]*$/u.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text);
  const isWord = /^(?:true|false|null|yes|no|on|off)$/i.test(text);
  const isNumber = /^(?:[\d.,_+:-]+|0[box][\da-f_]+|[\d._]+e[+-]?\d+)$/i.test(text);
  return isPlain && !isWord && !isNumber ? text : JSON.stringify(text);
}
