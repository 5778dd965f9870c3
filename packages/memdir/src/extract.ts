// What later conversations should know, taken out of this one in the background.
export type { ExtractionEvent } from './extract/event.ts';
export { createExtraction, type Extraction, type ExtractionOptions } from './extract/extraction.ts';
export { extractionPrompt, extractionPromptHash, extractionTools } from './extract/prompt.ts';
export type { RunFork } from './extract/run-child.ts';
