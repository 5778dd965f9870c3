export { TranscriptError, type TranscriptErrorCode } from './error.ts';
export { countTools, type ToolCounts } from './import/count-tools.ts';
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
export { type RecordedResponse, uniqueResponses } from './import/unique-responses.ts';
