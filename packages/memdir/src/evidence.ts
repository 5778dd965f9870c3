// What the text of a memory says, and whether it may: statements, quotes, dates, lists of paths, specifics, corrections.
export { corrects, isDenied } from './evidence/corrections.ts';
export { type DatedText, type DateProblem, dateProblem } from './evidence/dates.ts';
export { isPathList } from './evidence/path-list.ts';
export { type QuoteProblem, quoteProblem } from './evidence/quotes.ts';
export { lostSpecifics, specificsOf } from './evidence/specifics.ts';
export { type Statement, statementKey, statementsOf } from './evidence/statements.ts';
