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
  /** Lines between the fences. */
  readonly lines: readonly string[];
  /** The first characters of the file: how lines end there tells how all do. */
  readonly start: string;
}

const LEAD = /^\uFEFF?(?:\s|<!--[\s\S]*?-->)*/;
const FENCE = /^---[ \t]*(?:\r\n|\n|\r)/;
const CLOSE = /(?:^|\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/;
/** A header is a few lines; a rule far below in the text closes none. */
const MOST_HEADER_CHARS = 16_384;

/** Reads a memory file, whatever is in it. Line ends of all systems count, and a byte order mark. */
export function parseText(text: string): ParsedText {
  const start = text.slice(0, MOST_LOOKED_AT);
  const lead = LEAD.exec(text.slice(0, MOST_HEADER_CHARS))?.[0] ?? '';
  const fence = FENCE.exec(text.slice(lead.length, lead.length + 200));
  const none = { header: {}, lines: [], start };
  if (fence === null) {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    return { ...none, headerProblem: 'no-header', lead: mark, body: text.slice(mark.length) };
  }
  const opened = lead.length + fence[0].length;
  const inside = text.slice(opened, opened + MOST_HEADER_CHARS);
  const close = CLOSE.exec(inside);
  if (close === null) {
    return { ...none, headerProblem: 'header-not-closed', lead, body: text.slice(lead.length) };
  }
  const lines = inside.slice(0, close.index).split(/\r\n|\n|\r/);
  const rest = text.slice(opened + close.index + close[0].length);
  const body = rest.replace(/^(?:\r\n|\n|\r)/, '');
  return { ...readLines(lines), lines, lead, body, start };
}

const MOST_LOOKED_AT = 1_024;

/** How most lines end. */
function lineEndOf(head: string): '\n' | '\r\n' | '\r' {
  const crlf = head.split('\r\n').length - 1;
  const lf = head.split('\n').length - 1 - crlf;
  const cr = head.split('\r').length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}

const KEY = /^(\s*)([A-Za-z_][\w-]*)\s*:\s*(.*)$/;

function readLines(lines: readonly string[]): Pick<ParsedText, 'header' | 'shape'> {
  const fields = new Map<string, string>();
  let parent = '';
  for (const [at, line] of lines.entries()) {
    const [, indent = '', key = '', value = ''] = KEY.exec(line) ?? [];
    if (key === '') continue;
    if (indent === '') parent = value === '' ? key : '';
    else if (parent !== 'metadata') continue;
    const name = indent === '' ? key : `metadata.${key}`;
    if (!fields.has(name)) fields.set(name, plainValue(value, lines, at));
  }
  const of = (key: string): string | undefined => {
    const value = fields.get(key) || fields.get(`metadata.${key}`);
    return value === '' ? undefined : value;
  };
  const header: Header = {
    ...{ name: of('name'), description: of('description') },
    ...{ type: of('type'), modified: of('modified') },
    pinned: of('pinned') === 'true',
  };
  return {
    header,
    shape: fields.has('metadata.type') && !fields.get('type') ? 'metadata' : 'flat',
  };
}

/** A plain, quoted or folded value, as one line. */
function plainValue(value: string, lines: readonly string[], at: number): string {
  const text = value.trim();
  if (/^[|>][+-]?\d?$/.test(text)) return blockBelow(lines, at);
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (quoted !== undefined) return unquote(quoted);
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return text.replace(/\s+#.*$/, '');
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // an escape that only YAML knows
  }
}

function blockBelow(lines: readonly string[], at: number): string {
  const below: string[] = [];
  const indent = /^\s*/.exec(lines[at] ?? '')?.[0].length ?? 0;
  for (const line of lines.slice(at + 1)) {
    if (line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent) break;
    below.push(line.trim());
  }
  return below.join(' ').trim();
}

/** What is written of a header. */
export interface NewHeader {
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  readonly modified: string;
}

/** A whole file. Of the one it replaces what stands before the fence, its line ends and keys that are not ours stay. */
export function formatText(header: NewHeader, body: string, old?: ParsedText): string {
  const ours = Object.entries(header).map(([key, value]) => `${key}: ${quoteIfNeeded(value)}`);
  const lines = ['---', ...ours, ...foreignLines(old?.lines ?? []), '---', '', body];
  const lineEnd = old === undefined ? '\n' : lineEndOf(old.start);
  const text = lines.join('\n').replace(/\r\n|\r/g, '\n');
  return `${old?.lead ?? ''}${lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)}`;
}

const OURS = ['name', 'description', 'type', 'modified'];

/** Lines of keys that are not ours, with what belongs to them; `metadata:` goes when nothing is left below it. */
function foreignLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let isOurs = false;
  let parent = '';
  for (const line of lines) {
    const [, indent = '', key = '', value = ''] = KEY.exec(line) ?? [];
    const isTop = key !== '' && indent === '';
    const isOfMetadata = key !== '' && indent !== '' && parent === 'metadata';
    if (isTop) parent = value === '' ? key : '';
    if (isTop || isOfMetadata) isOurs = OURS.includes(key);
    else if (line.startsWith('#')) isOurs = false;
    if (!isOurs) kept.push(line);
  }
  return kept.filter((line, at) => {
    const isEmptyMetadata = /^metadata\s*:\s*$/.test(line) && !/^\s+\S/.test(kept[at + 1] ?? '');
    return !isEmptyMetadata;
  });
}

/** Plain where YAML reads the text itself, else in double quotes. */
function quoteIfNeeded(text: string): string {
  const isPlain = /^[\p{L}\p{N}(/][^\n\r]*$/u.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text);
  const isWord = /^(?:true|false|null|yes|no|on|off|~)$/i.test(text);
  const isNumber = /^[\d.,_+-]+$/.test(text);
  return isPlain && !isWord && !isNumber ? text : JSON.stringify(text);
}
