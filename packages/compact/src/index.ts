export type {
  Compaction,
  CompactionReceipt,
  Engine,
  Summarize,
  SummaryReply,
  Trigger,
} from './types.ts';
