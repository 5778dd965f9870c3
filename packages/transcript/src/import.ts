export { TranscriptError, type TranscriptErrorCode } from './error.ts';
export { importSession } from './import/import-session.ts';
export type {
  ImportedSession,
  ImportedThread,
  ImportOptions,
  ImportProblem,
  ImportSignal,
  ProblemKind,
  ReplyFacts,
  SessionFormat,
} from './import/types.ts';
