import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { filled, readFlags } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { hashUnit } from './demand/vocabulary.ts';
import { EvalsError } from './error.ts';
import { fitNeed, type SampledSession } from './fit/fit-need.ts';
import { formatFit } from './fit/fit-text.ts';
import { sampleSession } from './fit/sample-session.ts';
import { withWeights } from './fit/write-weights.ts';
import { asTyped } from './help.ts';
import { createProgress } from './progress.ts';
import { planSession } from './replay/session-plan.ts';
import { exitCode } from './report/exit-code.ts';
import { readText } from './report/read-text.ts';
import { shownCommand } from './report/shown-command.ts';
import { wrap } from './report/wrap.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';
import { resolvePricing } from './resolve-pricing.ts';
import { surveyAll } from './run-phases.ts';
import { type ReadPart, readPart } from './session/describe-read.ts';
import { importNamed, mainThreads } from './session/import-threads.ts';
import { lookForSessions } from './session/session-files.ts';
import { createTaskRunner } from './task-runner.ts';

const HELP = `Chooses the weights by which @varve/microcompact tells what will be needed again, from recorded sessions.

  varve-evals fit [flags]

  --sessions <path> …   session files or folders; sessions of fewer than 60 requests or 100K tokens are
                        left out
  --write               put the weights into the package, with where they come from (in the repository
                        only)
  --out <folder>        where fit.json goes (default: evals/results)
  --json                print it as one JSON document and nothing else
  -h, --help            this text
`;

const OPTIONS = {
  sessions: { type: 'string', multiple: true },
  write: { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** In what is shorter the rule has hardly anything to decide. */
const MIN_REQUESTS = 60;
const MIN_TOKENS = 100_000;

/** Runs `fit` with its own arguments and returns the exit code: 1 where a session was refused. */
export async function chooseWeights(args: readonly string[]): Promise<number> {
  const { sessions = [], write = false, json = false, help, ...rest } = readFlags(args, OPTIONS);
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const out = rest.out === undefined ? defaultOut() : filled('out', rest.out);
  await ensureWritable(out);
  const files = await lookForSessions(sessionsOr(sessions));
  const progress = createProgress({ stream: process.stderr, silent: json });
  const { sampled, read } = await sampleFiles(files, (file, share) =>
    progress.show(share, file),
  ).finally(progress.close);
  if (new Set(sampled.map(({ project }) => project)).size < 2) throw tooFew();
  const found = fitNeed(sampled);
  const document = `${JSON.stringify({ ...found, ...read }, undefined, 2)}\n`;
  await writeFiles(out, { 'fit.json': document });
  process.stdout.write(json ? document : `${formatFit(found)}${said(read)}`);
  if (write) await writeWeights(found, `pnpm fit ${shownCommand(args).join(' ')}`);
  return exitCode(read);
}

const said = (read: ReadPart): string =>
  readText(read)
    .flatMap((text) => wrap(text))
    .map((line) => `${line}\n`)
    .join('');

/** The sessions that a replay counts, each once. */
async function sampleFiles(
  looked: Awaited<ReturnType<typeof lookForSessions>>,
  onProgress: (file: string, share: number) => void,
): Promise<{ readonly sampled: readonly SampledSession[]; readonly read: ReadPart }> {
  const surveyed = await surveyAll(looked.files, {
    runner: createTaskRunner(1),
    onDone: () => {},
    passedOver: looked.passedOver,
  });
  const { usable } = surveyed;
  const sampled: SampledSession[] = [];
  for (const [at, { file, backgrounds }] of usable.entries()) {
    onProgress(file.name, at / usable.length);
    const threads = mainThreads(await importNamed(file), file.name);
    for (const [place, { session, thread }] of threads.entries()) {
      const background = backgrounds[place];
      if (background == null) continue;
      const known = new Set(background.guessable);
      const isGuessable = (unit: string): boolean => known.has(hashUnit(unit));
      const plan = planSession(thread, resolvePricing({}), { isGuessable });
      const { replies, history, sizes } = plan.recording;
      const tokens = history.reduce((sum, message) => sum + sizes.message(message), 0);
      if (replies.length < MIN_REQUESTS || tokens < MIN_TOKENS) continue;
      sampled.push({ session, project: background.project, samples: sampleSession(plan) });
    }
  }
  return { sampled, read: readPart(surveyed) };
}

const WEIGHTS = join(
  ...[import.meta.dirname, '..', '..', 'packages', 'microcompact', 'src', 'need-weights.ts'],
);

async function writeWeights(found: ReturnType<typeof fitNeed>, command: string): Promise<void> {
  const text = await readFile(WEIGHTS, 'utf8').catch(() => '');
  const next = withWeights(text, found, command);
  if (next === undefined) {
    throw new EvalsError(
      'not-written',
      'The weights have no place here: run this in the repository.',
    );
  }
  await writeFiles(dirname(WEIGHTS), { [basename(WEIGHTS)]: next });
  process.stdout.write(`Weights: ${relative('', WEIGHTS)}\n`);
}

const tooFew = (): EvalsError =>
  new EvalsError(
    'no-sessions',
    `Weights are chosen project by project: pass sessions of two projects and more, of ${MIN_REQUESTS} requests and ${MIN_TOKENS} tokens each.`,
  );
