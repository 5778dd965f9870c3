import { type Input, stringIn } from './input.ts';

/** Fields in which tools of well-known agents name a file or a folder. */
const PATH_FIELDS: readonly string[] = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'filename',
  'file',
];

/** Paths that a call names, in the order of its input and as they stand there. */
export function pathsIn(input: Input): readonly string[] {
  const one = stringIn(input, PATH_FIELDS);
  if (one !== undefined) return [one];
  const many = input.paths ?? input.file_paths ?? input.files;
  return Array.isArray(many) ? many.filter((path) => typeof path === 'string') : [];
}

/** One spelling of a path: `./src//a.ts` and `src\a.ts` are `src/a.ts`, `a/../b` is `b`. */
export function plainPath(path: string): string {
  if (!MAY_BE_SHORTER.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.replace(/\\/g, '/').split('/')) {
    if (part === '..' && !['', '..'].includes(parts.at(-1) ?? '')) parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/') || path;
}

/** A backslash, an empty part, `.` or `..`. */
const MAY_BE_SHORTER = /\\|\/(?:\/|$)|(?:^|\/)\.\.?(?:\/|$)/;
