export { isAbortError, untilAborted } from './abort.ts';
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
  checkOptions,
  type Expectation,
  expected,
  integer,
  number,
  required,
} from './options.ts';
export { ownText } from './own-text.ts';
export { withinTime } from './time-limit.ts';
