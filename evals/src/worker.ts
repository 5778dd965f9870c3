import { MessagesError } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { TranscriptError } from '@varve/transcript';
import { EvalsError, type EvalsErrorCode } from './error.ts';
import { type MeasuredFile, measureFile } from './fidelity/measure-file.ts';
import type { RecordedSummary } from './fidelity/recorded-summaries.ts';
import {
  type MeasureSentOptions,
  measureSent,
  type SentRow,
} from './fidelity/sent/measure-sent.ts';
import { loadStrategies, type StrategySource } from './load-strategies.ts';
import { type ReplayedFile, replayFile, type ThreadBackground } from './replay/replay-file.ts';
import type { PricingOptions } from './resolve-pricing.ts';
import type { SessionFile } from './session/session-files.ts';
import { type Survey, survey } from './session/survey.ts';
import { type UnreadFile, whyUnread } from './session/unread.ts';

/** One file's work. Strategies that cross to another thread have to be names or paths. */
export type Task =
  | {
      readonly kind: 'survey';
      readonly file: SessionFile;
      readonly models: readonly ModelInfo[];
    }
  | {
      readonly kind: 'replay';
      readonly file: SessionFile;
      readonly backgrounds: readonly (ThreadBackground | null)[];
      readonly strategies: readonly StrategySource[];
      readonly pricing: PricingOptions;
      readonly otherWindows: readonly number[];
    }
  | {
      readonly kind: 'measure';
      readonly file: SessionFile;
      readonly backgrounds: readonly (ThreadBackground | null)[];
      readonly compactors: readonly string[];
      readonly budgets: readonly number[];
      readonly summaries: readonly RecordedSummary[];
      readonly peers: boolean;
    }
  | ({ readonly kind: 'sent'; readonly file: SessionFile } & MeasureSentOptions);

/** What came of it. Errors come as data, because their class and code would be lost between threads. */
export type TaskResult =
  | ({ readonly kind: 'surveyed' } & Survey)
  | { readonly kind: 'measured'; readonly measured: MeasuredFile }
  | { readonly kind: 'sent'; readonly rows: readonly SentRow[] }
  | { readonly kind: 'replayed'; readonly replayed: ReplayedFile }
  | ({ readonly kind: 'refused' } & Omit<UnreadFile, 'file'>)
  | { readonly kind: 'failed'; readonly code: EvalsErrorCode; readonly message: string };

/** Does a task, in whatever thread it is called. What is nobody's known failure is thrown. */
export default async function runTask(task: Task): Promise<TaskResult> {
  try {
    if (task.kind === 'survey')
      return { kind: 'surveyed', ...(await survey(task.file, task.models)) };
    if (task.kind === 'measure')
      return { kind: 'measured', measured: await measureFile(task.file, task) };
    if (task.kind === 'sent') return { kind: 'sent', rows: await measureSent(task.file, task) };
    const strategies = await loadStrategies(task.strategies);
    return { kind: 'replayed', replayed: await replayFile(task.file, { ...task, strategies }) };
  } catch (error) {
    if (TranscriptError.is(error)) return { kind: 'refused', ...whyUnread(error) };
    if (MessagesError.is(error))
      return { kind: 'refused', code: 'no-history', line: null, reason: error.message };
    if (!EvalsError.is(error)) throw error;
    return { kind: 'failed', code: error.code, message: error.message };
  }
}
