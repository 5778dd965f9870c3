import { EvalsError } from '../../error.ts';
import { loadStrategies } from '../../load-strategies.ts';
import type { ProgressStep } from '../../run-eval.ts';
import { largestFirst, surveyAll } from '../../run-phases.ts';
import { readPart } from '../../session/describe-read.ts';
import { lookForSessions } from '../../session/session-files.ts';
import { createTaskRunner } from '../../task-runner.ts';
import { loadQuestions } from '../questions/load.ts';
import { compareSent, type SentReport } from './compare-sent.ts';

export interface RunSentOptions {
  /** Folder of the sessions that the questions are about, and of any others. */
  readonly sessions: string;
  /** File of `evals/questions`. */
  readonly questions: string;
  /** Names. */
  readonly strategies: readonly string[];
  /** Threads to work in. The report does not depend on it. @default 1 */
  readonly jobs?: number | undefined;
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}

/** Replays sessions under strategies and says what their requests hold at equal places. Throws an `EvalsError` where it cannot start. */
export async function runSent(options: RunSentOptions): Promise<SentReport> {
  const { strategies, jobs = 1 } = options;
  await loadStrategies(strategies);
  const points = await loadQuestions(options.questions);
  const { files, passedOver } = await lookForSessions([options.sessions]);
  const runner = createTaskRunner(jobs);
  let done = 0;
  const onDone = (file: string): void =>
    options.onProgress?.({ file, done: ++done, total: files.length * 2 });
  try {
    const surveyed = await surveyAll(files, { runner, onDone, passedOver });
    const measured = await largestFirst(surveyed.usable, async ({ file, backgrounds }) => {
      const result = await runner.run({ kind: 'sent', file, backgrounds, strategies, points });
      onDone(file.name);
      if (result.kind === 'sent') return result.rows;
      if (result.kind === 'failed') throw new EvalsError(result.code, result.message);
      throw new EvalsError('not-found', `${file.name} could be read before and no longer can.`);
    });
    return compareSent(measured.flat(), readPart(surveyed));
  } finally {
    await runner.close();
  }
}
