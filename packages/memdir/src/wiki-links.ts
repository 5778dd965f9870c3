import { nameKey } from './memory-file.ts';

/** Code, in which a link is an example, or a link. */
const CODE_OR_LINK = /`[^`\n]*`|\[\[([^\][\n|#`]+)(?:[|#](?:[^\][\n`]|`[^`\n]*`)*)?\]\]/g;

/** Targets of the `[[links]]` of a text, as they are written. */
export const wikiLinks = (text: string): readonly string[] =>
  [...text.matchAll(CODE_OR_LINK)].flatMap(([, target]) =>
    target === undefined ? [] : [target.trim()],
  );

/** Links that lead to the same file have one key: they name it, or its file, with or without the ending. */
export const linkKey = (name: string): string => nameKey(name.trim().replace(/\.md$/i, ''));

/** The text with other targets in its links; `targetOf` gives undefined where one stays. */
export const relink = (text: string, targetOf: (target: string) => string | undefined): string =>
  text.replace(CODE_OR_LINK, (whole: string, target: string | undefined) => {
    const next = target === undefined ? undefined : targetOf(target.trim());
    return target === undefined || next === undefined ? whole : whole.replace(target, () => next);
  });
