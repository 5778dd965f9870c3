/** What is not seen: joiners, soft hyphens, variation selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Texts that differ in case and forms of characters alone are one: NFKC, lower case, `ß` as `ss`, without what is not seen. */
export const foldText = (text: string): string =>
  text.replace(UNSEEN, '').normalize('NFKC').toLowerCase().replaceAll('ß', 'ss');
