export { ModelError } from './error.ts';
export { withReminder } from './reminder.ts';

export { send } from './send.ts';
export { createModelStream } from './stream/model-stream.ts';
export type { ModelClient, ModelEvent, ModelResponse } from './types.ts';
