import { nameKey } from './memory-file.ts';

/** What stands in code is an example. */
const CODE = /`[^`\n]*`/g;
const WIKI_LINK = /\[\[([^\][\n|#]+)(?:[|#][^\][\n]*)?\]\]/g;

/** Targets of the `[[links]]` of a text, as they are written. */
export const wikiLinks = (text: string): readonly string[] =>
  [...text.replace(CODE, '').matchAll(WIKI_LINK)].map(([, target = '']) => target.trim());

/** Links that lead to the same file have one key: they name it, or its file, with or without the ending. */
export const linkKey = (name: string): string => nameKey(name.trim().replace(/\.md$/i, ''));

/** The text with other targets in its links; `targetOf` gives undefined where one stays. */
export function relink(text: string, targetOf: (target: string) => string | undefined): string {
  const codes = [...text.matchAll(CODE)].map(({ 0: code, index }) => [index, index + code.length]);
  return text.replace(WIKI_LINK, (whole: string, target: string, at: number) => {
    const isCode = codes.some(([start = 0, end = 0]) => at >= start && at < end);
    const next = isCode ? undefined : targetOf(target.trim());
    return next === undefined ? whole : whole.replace(target, () => next);
  });
}
