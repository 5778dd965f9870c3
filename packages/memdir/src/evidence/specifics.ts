import { checkText, checkTexts } from '../check-text.ts';
/**
 * What a text names that no other words can say: numbers, dates, versions, paths, addresses, identifiers, and names written with
 * a capital inside of a sentence. In lower case, each once.
 */
export function specificsOf(text: string): ReadonlySet<string> {
  checkText('text', text);
  const found = new Set<string>();
  const plain = text.normalize('NFKC');
  for (const [token] of plain.matchAll(TOKEN)) {
    const word = token.replace(/[.,:;/_-]+$/, '');
    if (isSpecific(word)) found.add(word.toLowerCase());
  }
  for (const [, name = ''] of plain.matchAll(NAME)) found.add(name.toLowerCase());
  return found;
}

/** Those of some texts that stand nowhere in another one: what a merge of them has lost. */
export function lostSpecifics(sources: readonly string[], target: string): readonly string[] {
  checkTexts('sources', sources);
  checkText('target', target);
  const held = target.normalize('NFKC').toLowerCase();
  const wanted = new Set(sources.flatMap((source) => [...specificsOf(source)]));
  return [...wanted].filter((specific) => !holds(held, specific)).sort();
}

/** As a whole: `12` does not stand in `2012`. */
export function holds(text: string, specific: string): boolean {
  for (let at = text.indexOf(specific); at !== -1; at = text.indexOf(specific, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + specific.length]];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

const TOKEN = /[\p{L}\p{N}~@$#%][\p{L}\p{N}~@$#%._:/\\+-]*/gu;

/** With a digit, or with a mark or a capital where a plain word has none. */
const isSpecific = (word: string): boolean =>
  /\p{N}/u.test(word) ||
  /[\p{L}\p{N}][._:/\\@-][\p{L}\p{N}]/u.test(word) ||
  /\p{Ll}\p{Lu}|\p{Lu}{2}/u.test(word);

/** Behind a small letter, a digit or a comma a word with a capital is a name; at the beginning of a sentence it may be none. */
const NAME = /(?<=[\p{Ll}\p{N},;)'’]\s)(\p{Lu}\p{Ll}[\p{L}'’-]*)/gu;
