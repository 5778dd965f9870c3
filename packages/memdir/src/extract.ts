// What later conversations should know, taken out of this one in the background.
export type { ExtractionEvent } from './extract/event.ts';
export { createExtraction } from './extract/extraction.ts';
export { extractionPromptHash, extractionTools } from './extract/prompt.ts';
export type { RunFork } from './extract/run-child.ts';
