import { recordOf } from '@varve/guards';

/** What a call writes to one file: its whole content, a text in place of another, or the lines of a hunk. */
export type Writing =
  | { readonly content: string }
  | {
      readonly old: string;
      readonly next: string;
      /** How many places it replaces, where that is not one. */
      readonly places: number | 'all';
    }
  | Hunk;

interface Hunk {
  /** The line behind which it begins to look, where it names one. */
  readonly anchor: string;
  readonly gone: string[];
  readonly put: string[];
  /** It stands at the end of the file. */
  isLast: boolean;
}

/** Reads what a call writes to a file; empty where that is not to be told. */
export function writingsIn(input: unknown, path: string): readonly Writing[] {
  const fields = recordOf(input);
  const patch = [input, ...Object.values(fields)]
    .map((value) => (Array.isArray(value) ? value.join('\n') : value))
    .find((value) => typeof value === 'string' && value.includes('*** Begin Patch'));
  if (typeof patch === 'string') return patched(patch, path);
  const content = textIn(fields, ['content', 'file_text', 'contents', 'text']);
  const several = Array.isArray(fields.edits) ? fields.edits.map(recordOf) : [fields];
  const replaced = several.flatMap((each): Writing[] => {
    const old = textIn(each, ['old_string', 'old_str', 'oldText', 'oldString']);
    const next = textIn(each, ['new_string', 'new_str', 'newText', 'newString']) ?? '';
    return old === undefined ? [] : [{ old, next, places: placesOf(each) }];
  });
  return replaced.length > 0 || content === undefined ? replaced : [{ content }];
}

function placesOf(fields: Readonly<Record<string, unknown>>): number | 'all' {
  const isAll = ['replace_all', 'replaceAll', 'allow_multiple'].some(
    (name) => String(fields[name]) === 'true',
  );
  const { expected_replacements: count } = fields;
  return isAll ? 'all' : typeof count === 'number' ? count : 1;
}

/** A file after what was written to it; undefined where that cannot be known. */
export function applyWriting(
  writings: readonly Writing[],
  { before, isNew }: { readonly before: string | undefined; readonly isNew: boolean },
): string | undefined {
  if (writings.length === 0) return undefined;
  const hunks = writings.filter((each) => 'gone' in each);
  if (hunks.length > 0) return before === undefined ? undefined : applyHunks(hunks, before);
  let text = before;
  for (const writing of writings) {
    if ('content' in writing) text = isNew ? writing.content : undefined;
    else if ('old' in writing) text = replaced(writing, text);
  }
  return text;
}

/** Undefined where the text does not stand in so many places: then it is not the one that was edited. */
function replaced(
  { old, next, places }: Extract<Writing, { old: string }>,
  text: string | undefined,
): string | undefined {
  // an empty text is replaced only where a file is new or empty
  if (old === '') return text ? undefined : next;
  const parts = text?.split(old) ?? [];
  const found = parts.length - 1;
  return found > 0 && (places === 'all' || found === places) ? parts.join(next) : undefined;
}

/** Each hunk is looked for behind the one before, and behind its anchor. */
function applyHunks(hunks: readonly Hunk[], text: string): string | undefined {
  let lines = text.split('\n');
  const tail = lines.at(-1) === '' ? lines.splice(-1) : [];
  let from = 0;
  for (const { anchor, gone, put, isLast } of hunks) {
    if (anchor !== '') from = behindAnchor(lines, anchor, from);
    if (from < 0) return undefined;
    if (gone.length === 0 && put.length === 0) continue;
    // one that only adds is put at the anchor by some agents and at the end by others
    const at = gone.length === 0 ? -1 : placeOf(gone, lines, from);
    if (at < 0 || (isLast && at + gone.length < lines.length)) return undefined;
    lines = lines.toSpliced(at, gone.length, ...put);
    from = at + put.length;
  }
  return [...lines, ...tail].join('\n');
}

/** As it is written, or else without the spaces around it; -1 where it is not there. */
function behindAnchor(lines: readonly string[], anchor: string, from: number): number {
  for (const trim of [(line: string) => line, (line: string) => line.trim()]) {
    const at = lines.findIndex((line, place) => place >= from && trim(line) === trim(anchor));
    if (at >= 0) return at + 1;
  }
  return -1;
}

const placeOf = (wanted: readonly string[], lines: readonly string[], from: number): number =>
  lines.findIndex((_, at) => at >= from && wanted.every((line, add) => lines[at + add] === line));

/** The hunks of one file in a patch; none where it is moved, or stands there more than once. */
function patched(patch: string, path: string): readonly Writing[] {
  const sections = patch
    .split(/^\*\*\* (?=(?:Add|Update|Delete) File: |End Patch)/m)
    .filter((each) => each.split('\n', 1)[0]?.endsWith(`File: ${path}`));
  const [section = ''] = sections;
  const [, ...lines] = section.replace(/\n$/, '').split('\n');
  if (sections.length !== 1 || lines.some((line) => line.startsWith('*** Move to:'))) return [];
  if (section.startsWith('Add'))
    return [{ content: lines.map((line) => line.replace(/^\+/, '')).join('\n') }];
  const hunks: Hunk[] = [];
  const begin = (anchor: string): Hunk => {
    const hunk = { anchor, gone: [], put: [], isLast: false };
    hunks.push(hunk);
    return hunk;
  };
  for (const line of lines) {
    if (line.startsWith('@@')) {
      begin(line.slice(2).replace(/^ /, ''));
      continue;
    }
    const hunk = hunks.at(-1) ?? begin('');
    if (line.startsWith('*** End of File')) hunk.isLast = true;
    else if (!/^(?:[ +-]|$)/.test(line)) continue;
    else {
      if (!line.startsWith('+')) hunk.gone.push(line.slice(1));
      if (!line.startsWith('-')) hunk.put.push(line.slice(1));
    }
  }
  return hunks;
}

const textIn = (
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string');
