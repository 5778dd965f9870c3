export { BUILT_IN_STRATEGIES } from './built-in-strategies.ts';
export { EvalsError, type EvalsErrorCode } from './error.ts';
export type { Compacted, Compactor, CompactorContext, CompactorRun } from './fidelity/compactor.ts';
export type { Fidelity } from './fidelity/fidelity-schema.ts';
export { formatFidelity } from './fidelity/fidelity-text.ts';
export { type RunFidelityOptions, runFidelity } from './fidelity/run-fidelity.ts';
export type { StrategySource } from './load-strategies.ts';
export {
  type Report,
  type ReportRow,
  type ReportTotal,
  reportSchema,
} from './report/report-schema.ts';
export { formatReport } from './report/report-text.ts';
export { type RunEvalOptions, runEval } from './run-eval.ts';
export { contextStrategy } from './strategies/context-strategy.ts';
export type {
  Announcement,
  OwnCall,
  Strategy,
  StrategyContext,
  StrategyRun,
} from './strategy.ts';
export { type RunValidationOptions, runValidation } from './validate/run-validation.ts';
export type { Validation } from './validate/validation-schema.ts';
export { formatValidation } from './validate/validation-text.ts';
