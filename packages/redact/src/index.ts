export { redact } from './redact.ts';
export { redactJson } from './redact-json.ts';
