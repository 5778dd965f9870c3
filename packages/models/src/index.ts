export { ModelError } from './error.ts';
export { findOverflow } from './errors/overflow-wordings.ts';
export { toModelError } from './errors/to-model-error.ts';
export { fitCall, MOST_UNSTREAMED_TOKENS, thinkingBudget } from './fit-call.ts';
export { recordClient } from './record/record-client.ts';
export { memoryRecordStore, type RecordStore } from './record/recording.ts';
export { replayClient } from './record/replay-client.ts';
export { withReminder } from './reminder.ts';

export { send } from './send.ts';
export { createModelStream } from './stream/model-stream.ts';
export type { ModelClient, ModelEvent, ModelResponse } from './types.ts';
