// What later conversations should know, taken out of this one in the background.
export type {
  ExtractionEvent,
  ExtractionNote,
  ExtractionRefusal,
  ExtractionWrite,
  HoldReason,
  SkipReason,
} from './extract/event.ts';
export {
  createExtraction,
  type Extraction,
  type ExtractionDecision,
  type ExtractionOptions,
  type ExtractionSwitches,
} from './extract/extraction.ts';
export { extractionPrompt, extractionPromptHash, extractionTools } from './extract/prompt.ts';
export type { ExtractionFork, ForkOutcome, RunFork } from './extract/run-child.ts';
