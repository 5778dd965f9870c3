import { Piscina } from 'piscina';
import { EvalsError } from './error.ts';
import runTask, { type Task, type TaskResult } from './worker.ts';

/** Runs tasks here or in worker threads; the results are the same. */
export interface TaskRunner {
  run(task: Task): Promise<TaskResult>;
  close(): Promise<void>;
}

/** One job works in this thread, several in as many worker threads. */
export function createTaskRunner(jobs: number): TaskRunner {
  if (jobs === 1) return { run: runTask, close: async () => {} };
  const pool = new Piscina<Task, TaskResult>({
    ...{ filename: WORKER, maxThreads: jobs, minThreads: 1 },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  return {
    run: (task) => pool.run(task).catch((cause) => failed(task, cause)),
    close: () => pool.destroy(),
  };
}

/** Most of what a replay makes is gone after a request; collected less often, less of it is copied. */
const YOUNG_MB = 128;

/** The work itself answers with data; what rejects is the end of its thread. */
function failed({ kind, file }: Task, cause: unknown): never {
  if (kind !== 'replay') throw cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = `A worker thread ended while it replayed ${file.name}: ${reason}. A strategy that exits or takes all memory does that.`;
  throw new EvalsError('strategy-failed', text, { cause });
}

/** Beside this file: TypeScript in the workspace, JavaScript once built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
).href;
