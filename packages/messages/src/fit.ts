// What a provider takes of a history, a reply, a result or an image that it did not make, and what stands in place of the rest.
export { withObjectInput } from './call-input.ts';
export { NO_OUTPUT } from './failed-result.ts';
export { createHistoryFit } from './fit-history.ts';
export { IMAGE_TYPES, mediaFault } from './media-check.ts';
export { isPaused, soundReply } from './sound-reply.ts';
export { isProviderStopReason } from './stop-reasons.ts';
export { syntheticResult } from './synthetic-result.ts';
