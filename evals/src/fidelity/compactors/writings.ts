import { recordOf } from '@varve/guards';

/** What a call writes to one file: its whole content, or texts that take the place of others. */
export type Writing =
  | { readonly content: string }
  | { readonly old: string; readonly next: string };

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
    return old === undefined ? [] : [{ old, next }];
  });
  return replaced.length > 0 || content === undefined ? replaced : [{ content }];
}

/** A file after what was written to it; undefined where that cannot be known. */
export function applyWriting(
  writings: readonly Writing[],
  { before, isNew }: { readonly before: string | undefined; readonly isNew: boolean },
): string | undefined {
  let text = before;
  for (const writing of writings) {
    if ('content' in writing) text = isNew ? writing.content : undefined;
    else
      text = text?.includes(writing.old)
        ? text.replace(writing.old, () => writing.next)
        : undefined;
  }
  return writings.length === 0 ? undefined : text;
}

/** The hunks of one file in a patch. */
function patched(patch: string, path: string): readonly Writing[] {
  const sections = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: |End Patch)/m);
  const section = sections.find((each) => each.split('\n', 1)[0]?.endsWith(`File: ${path}`)) ?? '';
  const [, ...lines] = section.replace(/\n$/, '').split('\n');
  if (section.startsWith('Add'))
    return [{ content: lines.map((line) => line.replace(/^\+/, '')).join('\n') }];
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('@@')) hunks.push([]);
    else if (/^[ +-]/.test(line)) (hunks.at(-1) ?? []).push(line);
  }
  const side = (hunk: readonly string[], gone: string): string =>
    hunk
      .filter((line) => !line.startsWith(gone))
      .map((line) => line.slice(1))
      .join('\n');
  return hunks.map((hunk) => ({ old: side(hunk, '+'), next: side(hunk, '-') }));
}

const textIn = (
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string');
