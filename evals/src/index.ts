export { BUILT_IN_STRATEGIES } from './built-in-strategies.ts';
export { EvalsError, type EvalsErrorCode } from './error.ts';
export type { Compacted, Compactor, CompactorContext, CompactorRun } from './fidelity/compactor.ts';
export {
  type Fidelity,
  type FidelityRow,
  type FidelityTotal,
  fidelitySchema,
} from './fidelity/fidelity-schema.ts';
export { formatFidelity } from './fidelity/fidelity-text.ts';
export { type RunFidelityOptions, runFidelity } from './fidelity/run-fidelity.ts';
export type { StrategySource } from './load-strategies.ts';
export type { Provider, Ttl } from './providers.ts';
export {
  type ReplayedThread,
  type Report,
  type ReportRow,
  type ReportSession,
  type ReportTotal,
  reportSchema,
} from './report/report-schema.ts';
export { formatReport } from './report/report-text.ts';
export { type ProgressStep, type RunEvalOptions, runEval } from './run-eval.ts';
export type {
  Announcement,
  OwnCall,
  Strategy,
  StrategyContext,
  StrategyRun,
} from './strategy.ts';
export { type RunValidationOptions, runValidation } from './validate/run-validation.ts';
export {
  type ValidatedFormat,
  type ValidatedSession,
  type Validation,
  validationSchema,
} from './validate/validation-schema.ts';
export { formatValidation } from './validate/validation-text.ts';
