// Exchanges that are recorded and answered from the recording.
export { recordClient } from './record/record-client.ts';
export { memoryRecordStore } from './record/recording.ts';
export { replayClient } from './record/replay-client.ts';
