import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArguments } from './arguments.ts';
import { defaultOut, defaultSessions } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { createProgress } from './progress.ts';
import { runValidation } from './validate/run-validation.ts';
import type { Validation } from './validate/validation-schema.ts';
import { formatValidation, markdownValidation } from './validate/validation-text.ts';

const HELP = `Compares the cache simulator and the token meter with the usage that recorded sessions were billed.

  varve-evals validate [flags]

  --sessions <path>     session file or folder; can be repeated (default: the project's own sessions,
                        which carry no bills)
  --out <folder>        where validation.json and validation.md go (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;

/** Runs `validate` with its own arguments and returns the exit code. */
export async function validate(args: readonly string[]): Promise<number> {
  const { sessions, out = defaultOut(), json, help } = parseArguments(args);
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const progress = createProgress({ stream: process.stderr, silent: json });
  const validation = await runValidation({
    sessions: sessions.length > 0 ? sessions : [defaultSessions()],
    command: args,
    onProgress: ({ file, share }) => progress.show(share, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(validation, undefined, 2)}\n`;
  await write(validation, { document, out });
  process.stdout.write(json ? document : `${formatValidation(validation)}Report: ${out}\n`);
  return 0;
}

async function write(
  validation: Validation,
  { document, out }: { readonly document: string; readonly out: string },
): Promise<void> {
  try {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, 'validation.json'), document);
    await writeFile(join(out, 'validation.md'), markdownValidation(validation));
  } catch (cause) {
    const text = `The report could not be written to ${out}. Choose another folder with --out.`;
    throw new EvalsError('not-written', text, { cause });
  }
}
