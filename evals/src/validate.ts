import { parseArguments } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { asTyped } from './help.ts';
import { modelOverrides } from './model-overrides.ts';
import { createProgress } from './progress.ts';
import { exitCode } from './report/exit-code.ts';
import { shownCommand } from './report/shown-command.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';
import { runValidation } from './validate/run-validation.ts';
import { formatValidation, markdownValidation } from './validate/validation-text.ts';

const HELP = `Compares the cache simulator and the token meter with the usage that recorded sessions were billed.

  varve-evals validate [flags]

  --sessions <path> …   session files or folders (default: the project's own, in its
                        repository only, which carry no bills)
  --override <id>=<what> what a model is, as for a replay
  --out <folder>        where validation.json and validation.md go (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;

const FLAGS = ['sessions', 'override', 'out', 'json', 'help'] as const;

/** Runs `validate` with its own arguments and returns the exit code: 1 where a session could not be read. */
export async function validate(args: readonly string[]): Promise<number> {
  const {
    sessions,
    overrides = [],
    out = defaultOut(),
    json,
    help,
  } = parseArguments(args, { only: FLAGS });
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const wanted = sessionsOr(sessions);
  await ensureWritable(out);
  const progress = createProgress({ stream: process.stderr, silent: json });
  const validation = await runValidation({
    sessions: wanted,
    models: modelOverrides(overrides),
    command: shownCommand(args),
    onProgress: ({ file, share }) => progress.show(share, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(validation, undefined, 2)}\n`;
  await writeFiles(out, {
    'validation.json': document,
    'validation.md': markdownValidation(validation),
  });
  process.stdout.write(json ? document : `${formatValidation(validation)}Report: ${out}\n`);
  return exitCode(validation);
}
