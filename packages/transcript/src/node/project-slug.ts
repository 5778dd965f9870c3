import { fingerprint } from '@varve/messages';

/**
 * The name of a project's folder: letters and digits of its path, which tell a reader what it is, and a print of the whole,
 * so that no two paths share a folder. Both forms of a character with an accent give one name.
 *
 * Undefined for a path without a letter or digit.
 */
export function projectSlug(path: string): string | undefined {
  const project = path.normalize('NFC');
  const readable = project.replace(/[^\p{L}\p{N}]+/gu, '-');
  if (!/[^-]/.test(readable)) return undefined;
  const print = fingerprint(project).slice(0, PRINT_CHARS);
  return `${[...readable].slice(-SLUG_CHARS).join('')}-${print}`;
}

/** 48 characters of up to four bytes, and the print: within the 255 bytes of a file name. The end of a path tells most. */
const SLUG_CHARS = 48;
const PRINT_CHARS = 12;
