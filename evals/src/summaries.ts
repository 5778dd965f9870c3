import { TranscriptError } from '@varve/transcript';
import type { ImportedSession } from '@varve/transcript/import';
import { parseArguments } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { summaryRequest } from './fidelity/compactors/answered.ts';
import { requestText } from './fidelity/request-text.ts';
import { asTyped } from './help.ts';
import { planSession } from './replay/session-plan.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';
import { resolvePricing } from './resolve-pricing.ts';
import { importNamed, mainThreads } from './session/import-threads.ts';
import { findSessionFiles, isNoSession, type SessionFile } from './session/session-files.ts';

const HELP = `Writes the requests for summaries of sessions, at 55 and 85 % of their tokens, for a model to answer:
each as a text to read, and as a recording whose 'text' is to be filled with the answer, once, as it
came. 'varve-evals fidelity' uses the recordings in fixtures/summaries.

  varve-evals summaries [flags]

  --sessions <path> …   session files or folders (default: the project's own, in its
                        repository only)
  --out <folder>        where they go (default: evals/results)
  -h, --help            this text
`;

/** Runs `summaries` with its own arguments and returns the exit code. */
export async function summaries(args: readonly string[]): Promise<number> {
  const { sessions, out = defaultOut(), help } = parseArguments(args, { only: FLAGS });
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const wanted = sessionsOr(sessions);
  await ensureWritable(out);
  const files = await findSessionFiles(wanted);
  const results = await Promise.all(files.map(requestsOf));
  const refused = results.flatMap((result) => (typeof result === 'string' ? [result] : []));
  const written = results.flatMap((result) => (typeof result === 'string' ? [] : result));
  if (refused.length > 0) process.stderr.write(`varve-evals: ${refused.join('; ')}\n`);
  if (written.length === 0) throw new EvalsError('no-sessions', NO_REQUESTS);
  await writeFiles(out, Object.fromEntries(written));
  process.stdout.write(`${written.map(([name]) => `${name}\n`).join('')}Written to ${out}\n`);
  return refused.length > 0 ? 1 : 0;
}

const NO_REQUESTS =
  'There is no session that is long enough to be summarised. Pass others with --sessions.';

const FLAGS = ['sessions', 'out', 'help'] as const;

type Written = readonly [name: string, text: string];

/** The files for a session, none for what merely lies in a folder and is none; why one could not be read. */
async function requestsOf(file: SessionFile): Promise<readonly Written[] | string> {
  try {
    return await requestsIn(await importNamed(file), file.name);
  } catch (error) {
    if (!TranscriptError.is(error)) throw error;
    return isNoSession(file, error.code) ? [] : error.message;
  }
}

async function requestsIn(imported: ImportedSession, file: string): Promise<readonly Written[]> {
  const threads = mainThreads(imported, file);
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
