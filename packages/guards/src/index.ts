export { eachUntilAborted, isAbortError, untilAborted } from './abort.ts';
export { VarveError } from './error.ts';
export {
  codeOf,
  type Fields,
  isRecord,
  listOf,
  numberOf,
  recordOf,
  textOf,
} from './fields.ts';
export {
  aBoolean,
  aFunction,
  aList,
  aListOfTexts,
  anObject,
  aSignal,
  aString,
  aText,
  checkOptions,
  type Expectation,
  expected,
  integer,
  number,
  oneOf,
  required,
} from './options.ts';
