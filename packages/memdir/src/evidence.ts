// What the text of a memory says, and whether it may: statements, quotes, dates, lists of paths, specifics, corrections.
export { corrects, isDenied } from './evidence/corrections.ts';
export { dateProblem } from './evidence/dates.ts';
export { isPathList } from './evidence/path-list.ts';
export { quoteProblem } from './evidence/quotes.ts';
export { lostSpecifics, specificsOf } from './evidence/specifics.ts';
export { statementKey, statementsOf } from './evidence/statements.ts';
