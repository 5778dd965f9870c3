import { parseArguments } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { summaryRequest } from './fidelity/compactors/answered.ts';
import { requestText } from './fidelity/request-text.ts';
import { asTyped } from './help.ts';
import { planSession } from './replay/session-plan.ts';
import { exitCode } from './report/exit-code.ts';
import { readText } from './report/read-text.ts';
import { wrap } from './report/wrap.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';
import { resolvePricing } from './resolve-pricing.ts';
import { surveyAll, type UsableFile } from './run-phases.ts';
import { readPart } from './session/describe-read.ts';
import { importNamed, mainThreads } from './session/import-threads.ts';
import { lookForSessions } from './session/session-files.ts';
import { createTaskRunner } from './task-runner.ts';

const HELP = `Writes the requests for summaries of sessions, at 55 and 85 % of their tokens, for a model to answer:
each as a text to read, and as a recording whose 'text' is to be filled with the answer, once, as it
came. 'varve-evals fidelity' uses the recordings in fixtures/summaries.

  varve-evals summaries [flags]

  --sessions <path> …   session files or folders (default: the project's own, in its
                        repository only)
  --out <folder>        where they go (default: evals/results)
  --json                print what was written and what was read as one JSON document
  -h, --help            this text
`;

/** Runs `summaries` with its own arguments and returns the exit code: 1 where a session was refused. */
export async function summaries(args: readonly string[]): Promise<number> {
  const { sessions, out = defaultOut(), json, help } = parseArguments(args, { only: FLAGS });
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const wanted = sessionsOr(sessions);
  await ensureWritable(out);
  const { files, passedOver } = await lookForSessions(wanted);
  const surveyed = await surveyAll(files, {
    runner: createTaskRunner(1),
    onDone: () => {},
    passedOver,
  });
  const written = (await Promise.all(surveyed.usable.map(requestsOf))).flat();
  if (written.length === 0) throw new EvalsError('no-sessions', NO_REQUESTS);
  await writeFiles(out, Object.fromEntries(written));
  const names = written.map(([name]) => `${name}\n`).join('');
  const read = readPart(surveyed);
  const document = `${JSON.stringify({ written: written.map(([name]) => name), ...read }, undefined, 2)}\n`;
  const said = readText(read).flatMap((text) => wrap(text));
  process.stdout.write(json ? document : `${names}${said.join('\n')}\nWritten to ${out}\n`);
  return exitCode(read);
}

const NO_REQUESTS =
  'There is no session that is long enough to be summarised. Pass others with --sessions.';

const FLAGS = ['sessions', 'out', 'json', 'help'] as const;

type Written = readonly [name: string, text: string];

/** The files for each thread of a session that counts. */
async function requestsOf({ file, backgrounds }: UsableFile): Promise<readonly Written[]> {
  const mains = mainThreads(await importNamed(file), file.name);
  const threads = mains.filter((_, at) => backgrounds[at] !== null);
  const written = threads.map(async ({ session, thread }) => {
    const plan = planSession(thread, resolvePricing({ ttl: '5m' }));
    const cuts = [plan.cuts[2], plan.cuts[4]].filter((cut) => cut !== undefined);
    const requests = cuts.map(async ({ messageIndex }) => {
      const { request, unanswered } = await summaryRequest(plan, { session, messageIndex });
      const name = `${session.replace(/\.\w+$/, '').replaceAll('/', '-')}-${messageIndex}`;
      const recording = `${JSON.stringify(unanswered, undefined, 2)}\n`;
      return [
        [`${name}.txt`, requestText(request)],
        [`${name}.json`, recording],
      ] as const;
    });
    return (await Promise.all(requests)).flat();
  });
  return (await Promise.all(written)).flat();
}
