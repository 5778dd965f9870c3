export { redact } from './redact.ts';
export { type RedactJsonOptions, redactJson } from './redact-json.ts';
