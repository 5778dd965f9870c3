import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { filled, readFlags } from './arguments.ts';
import { defaultOut, defaultQuestions, defaultReadings } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { compareArms } from './fidelity/questions/compare-arms.ts';
import { loadQuestions } from './fidelity/questions/load.ts';
import { formatQuestions } from './fidelity/questions/questions-text.ts';
import {
  loadReadings,
  loadSheet,
  type Reading,
  withoutSentences,
} from './fidelity/questions/readings.ts';
import { runSent } from './fidelity/sent/run-sent.ts';
import { formatSent } from './fidelity/sent/sent-text.ts';
import { readPoints } from './fidelity/texts/open-points.ts';
import { writeTexts } from './fidelity/texts/write-texts.ts';
import { asTyped } from './help.ts';
import { createProgress } from './progress.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const HELP = `Asks what one needs to go on of what compactions leave: questions at places of recorded sessions, answered
by readers who do not know what made a text. No model is called.

  varve-evals questions [flags]

  --texts <folder>      write the texts and questions for a reader there (in reading/), and what
                        each text is (key.json); no report
  --take <sheet>        store what a reader filled in, without sentences of the sessions: of each
                        answer the terms that it is graded by
  --strategy <names>    ask it of what strategies send instead: replay all sessions under these and
                        print which said facts and answers their requests hold, each fold beside
                        the same without it; without readers
  --sessions <folder>   sessions that the questions are about
                        (default: $VARVE_SESSIONS)
  --questions <file>    (default: evals/questions/questions.json, in its repository only)
  --readings <folder>   what readers answered (default: evals/questions/readings)
  --out <folder>        where questions.json goes (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;

const FLAGS = {
  texts: { type: 'string' },
  strategy: { type: 'string', multiple: true },
  take: { type: 'string' },
  sessions: { type: 'string' },
  questions: { type: 'string' },
  readings: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs `questions` with its own arguments and returns the exit code. */
export async function questions(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const { help = false, json = false } = flags;
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  if (flags.take !== undefined) return take(filled('take', flags.take), flags);
  const sessions = filled('sessions', flags.sessions ?? sessionsBeside());
  const file = filled('questions', flags.questions ?? defaultQuestions());
  const folder = filled('readings', flags.readings ?? defaultReadings());
  const target = filled('out', flags.texts ?? flags.out ?? defaultOut());
  if (flags.strategy !== undefined) {
    if (flags.texts !== undefined)
      throw new EvalsError(
        'bad-arguments',
        '--texts writes what arms leave for readers, and --strategy what requests hold: give one of them.',
      );
    return sent(
      { strategies: namesIn(flags.strategy), sessions, questions: file },
      { target, json },
    );
  }
  const readings = flags.texts === undefined ? await loadReadings(folder) : [];
  await ensureWritable(target);
  const progress = createProgress({ stream: process.stderr, silent: json });
  const points = await readPoints({
    ...{ questions: file, sessions },
    onProgress: (point, share) => progress.show(share, point),
  }).finally(progress.close);
  if (flags.texts !== undefined) {
    await writeTexts(points, target);
    process.stdout.write(`For readers: ${join(target, 'reading')}\n`);
    return 0;
  }
  const report = compareArms(points, readings);
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(target, { 'questions.json': document });
  process.stdout.write(json ? document : `${formatQuestions(report)}Report: ${target}\n`);
  return 0;
}

/** Names may be repeated, and separated by commas. */
const namesIn = (given: readonly string[]): readonly string[] =>
  given.flatMap((names) => names.split(',')).map((name) => filled('strategy', name.trim()));

async function sent(
  options: Parameters<typeof runSent>[0],
  { target, json }: { readonly target: string; readonly json: boolean },
): Promise<number> {
  await ensureWritable(target);
  const progress = createProgress({ stream: process.stderr, silent: json });
  const report = await runSent({
    ...{ jobs: availableParallelism(), ...options },
    onProgress: ({ file, done, total }) => progress.show(done / total, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(target, { 'sent.json': document });
  process.stdout.write(json ? document : `${formatSent(report)}Report: ${target}\n`);
  return 0;
}

async function take(
  sheet: string,
  flags: { readonly questions?: string | undefined; readonly readings?: string | undefined },
): Promise<number> {
  const file = filled('questions', flags.questions ?? defaultQuestions());
  const folder = filled('readings', flags.readings ?? defaultReadings());
  const asked = (await loadQuestions(file)).flatMap((point) => point.questions);
  const { reader, answers } = withoutSentences(await loadSheet(sheet), asked);
  const name = `${reader}.json`;
  const earlier =
    (await loadReadings(folder)).find((each) => each.reader === reader)?.answers ?? [];
  const given = new Set(answers.map(placeOf));
  const kept = earlier.filter((each) => !given.has(placeOf(each)));
  const reading: Reading = { reader, answers: [...kept, ...answers] };
  await writeFiles(folder, { [name]: `${JSON.stringify(reading, undefined, 2)}\n` });
  process.stdout.write(`Stored: ${join(folder, name)}\n`);
  return 0;
}

const placeOf = ({ text, question }: Reading['answers'][number]): string => `${text} ${question}`;

/** Throws `no-sessions`. */
function sessionsBeside(): string {
  const { VARVE_SESSIONS } = process.env;
  if (VARVE_SESSIONS) return VARVE_SESSIONS;
  const text = 'The questions are about sessions that are not part of the repository.';
  throw new EvalsError('no-sessions', `${text} Pass their folder with --sessions.`);
}
