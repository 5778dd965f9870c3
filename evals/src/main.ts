import { availableParallelism } from 'node:os';
import { parseArguments } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { asTyped, HELP } from './help.ts';
import { createProgress } from './progress.ts';
import { exitCode } from './report/exit-code.ts';
import { shownCommand } from './report/shown-command.ts';

/**
 * Runs a command line (without the program's name) and returns its exit code: 0; 1 where a strategy failed or a session was
 * refused; 2 where it could not start.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === 'validate') {
      const { validate } = await import('./validate.ts');
      return await validate(args.slice(1));
    }
    if (args[0] === 'grid') {
      const { grid } = await import('./grid.ts');
      return await grid(args.slice(1));
    }
    if (args[0] === 'fit') {
      const { chooseWeights } = await import('./fit.ts');
      return await chooseWeights(args.slice(1));
    }
    if (args[0] === 'fidelity') {
      const { fidelity } = await import('./fidelity.ts');
      return await fidelity(args.slice(1));
    }
    if (args[0] === 'summaries') {
      const { summaries } = await import('./summaries.ts');
      return await summaries(args.slice(1));
    }
    if (args[0] === 'memory') {
      const { memory } = await import('./memory.ts');
      return await memory(args.slice(1));
    }
    if (args[0] === 'questions') {
      const { questions } = await import('./questions.ts');
      return await questions(args.slice(1));
    }
    return await replayCommand(args);
  } catch (error) {
    if (!EvalsError.is(error)) throw error;
    process.stderr.write(`varve-evals: ${error.message}\n`);
    if (args.includes('--json')) process.stdout.write(failedDocument(error));
    return error.code === 'strategy-failed' ? 1 : 2;
  }
}

/** Where a report would have named files, this does as well. */
function failedDocument({ code, message, found }: EvalsError): string {
  const document = { error: { code, message }, read: [], skipped: [], refused: [], ...found };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

async function replayCommand(args: readonly string[]): Promise<number> {
  const {
    help,
    out = defaultOut(),
    json,
    all,
    explain,
    overrides,
    ...settings
  } = parseArguments(args);
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  if (explain !== undefined) {
    const words = await import('./report/plain-words.ts');
    process.stdout.write(words.explain(explain));
    return 0;
  }
  // Loading what replays takes longer than telling that a flag is wrong.
  const { runEval } = await import('./run-eval.ts');
  const { FIRST_STRATEGIES, formatFirstScreen, SMALL_WINDOW } = await import(
    './report/first-screen.ts'
  );
  const { formatReport } = await import('./report/report-text.ts');
  const { serializeReport, writeReport } = await import('./report/write-report.ts');
  const { ensureWritable } = await import('./report/write-files.ts');
  const { modelOverrides } = await import('./model-overrides.ts');
  const models = modelOverrides(overrides ?? []);
  const wanted = sessionsOr(settings.sessions);
  await ensureWritable(out);
  const isFirst = !all && settings.strategies.length === 0;
  const progress = createProgress({ stream: process.stderr, silent: json });
  const report = await runEval({
    jobs: availableParallelism(),
    ...settings,
    models,
    strategies: isFirst && !json ? FIRST_STRATEGIES : settings.strategies,
    otherWindows: all || settings.window !== undefined ? [] : [SMALL_WINDOW],
    sessions: wanted,
    // it decides what is replayed
    command: ['varve-evals', ...shownCommand(args), ...(isFirst && json ? ['--json'] : [])].join(
      ' ',
    ),
    onProgress: ({ file, done, total }) => progress.show(done / total, file),
  }).finally(progress.close);
  await writeReport(report, out);
  const text = (): string =>
    all
      ? formatReport(report)
      : formatFirstScreen(report, {
          program: asTyped('varve-evals'),
          isOwn: settings.sessions.length === 0,
        });
  process.stdout.write(json ? serializeReport(report) : `${text()}Report: ${out}\n`);
  return exitCode(report);
}
