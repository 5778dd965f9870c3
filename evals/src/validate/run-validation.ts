import type { ModelInfo } from '@varve/tokens';
import { TranscriptError } from '@varve/transcript';
import { EvalsError } from '../error.ts';
import { packageVersion } from '../report/package-version.ts';
import { byReason } from '../report/read-text.ts';
import { countOnce } from '../session/count-once.ts';
import { readFile, withoutPlace } from '../session/describe-read.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import { type SessionFacts, sessionFacts } from '../session/session-facts.ts';
import { lookForSessions, type SessionFile } from '../session/session-files.ts';
import { type UnreadFile, unreadPart, whyUnread } from '../session/unread.ts';
import { summariseFormats } from './summarise-formats.ts';
import { studyThread, type ValidatedThread } from './validate-thread.ts';
import type { ValidatedSession, Validation } from './validation-schema.ts';

export interface RunValidationOptions {
  /** Files and folders. */
  readonly sessions: readonly string[];
  /** Arguments of the command line; they stand in the report. @default none */
  readonly command?: readonly string[] | undefined;
  /** Entries of one's own for models; they win over the table. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
  /** Called before each file: `share` of the files, from 0 to 1, that are done. */
  readonly onProgress?:
    | ((step: { readonly file: string; readonly share: number }) => void)
    | undefined;
}

const NO_BILLS = 'no billed prompts';

const ASSUMPTIONS = [
  'Prompts have the sizes that were billed; how much of each is read is predicted from earlier ones only.',
  'System prompt and tools are not in most files. Their size is learned from earlier bills, at first from the first prompt less its messages.',
  'What such sessions lose for no reason in the file is taken off as an expected share: measured rates, moved by the session as it goes on.',
  'Breaks are judged by rules alone.',
];

/** Compares simulator and meter with the billed usage of recorded sessions. Throws `no-sessions` where none has any. */
export async function runValidation(options: RunValidationOptions): Promise<Validation> {
  const { command = [], onProgress, models = [] } = options;
  const { files, passedOver } = await lookForSessions(options.sessions);
  const read: { readonly file: SessionFile; readonly facts: SessionFacts }[] = [];
  const threads: (ValidatedThread & { readonly thread: string })[] = [];
  const failed: UnreadFile[] = [];
  const unbilled: Validation['unbilled'] = [];
  for (const [index, file] of files.entries()) {
    onProgress?.({ file: file.name, share: index / files.length });
    const found = await validateFile(file, models);
    if ('why' in found) {
      failed.push({ file, ...found.why });
      continue;
    }
    const { validated, facts } = found;
    for (const [thread, each] of validated) {
      threads.push({ ...each, thread: `${read.length} ${thread}` });
    }
    read.push({ file, facts });
    if (validated.length === 0) unbilled.push({ file: file.name, reason: unbilledReason(facts) });
  }
  const unread = unreadPart(failed, passedOver);
  const { leftOut, bills } = countOnce(read.map(({ facts }) => facts));
  const left = new Set(
    leftOut.filter(({ counted }) => !counted).map(({ file, thread }) => `${file} ${thread}`),
  );
  const counted = threads.filter(({ thread }) => !left.has(thread));
  const sessions = counted.map(
    (each): ValidatedSession => ({
      ...each.validated,
      leftOneOut: each.leftOneOut(
        counted.filter((other) => other !== each).flatMap(({ seen }) => seen),
      ),
    }),
  );
  if (sessions.length === 0) {
    const others = [
      ...unread.refused,
      ...unread.skipped,
      ...unbilled.filter(({ reason }) => reason !== NO_BILLS),
    ];
    const why = others.length > 0 ? ` (${byReason(others, SHOWN_UNREAD)})` : '';
    const text = `No session with billed prompts was found${why}. Pass sessions of Claude Code, Codex, OpenCode, pi or Gemini CLI with --sessions.`;
    const found = { read: read.map(readFile), ...unread, unbilled };
    throw new EvalsError('no-sessions', text, { found });
  }
  return {
    version: packageVersion(),
    command: [...command],
    sessions,
    formats: summariseFormats(sessions),
    read: read.map(readFile),
    leftOut: leftOut.map(withoutPlace),
    bills,
    ...unread,
    unbilled,
    assumptions: ASSUMPTIONS,
  };
}

/** An agent that bills no request by itself may say what all came to. */
function unbilledReason({ mains }: SessionFacts): string {
  const totals = mains.flatMap(({ replies }) =>
    replies.filter(({ covers }) => covers !== undefined),
  );
  const tokens = totals.reduce((sum, { bill }) => sum + (bill?.promptTokens ?? 0), 0);
  const dollars = totals.reduce((sum, { bill }) => sum + (bill?.dollars ?? 0), 0);
  if (totals.length === 0) return NO_BILLS;
  return `${NO_BILLS}, but a total of ${tokens} prompt tokens, $${dollars.toFixed(2)}`;
}

const SHOWN_UNREAD = 8;

type ValidatedFile =
  | {
      /** By the place of the main thread in the file. */
      readonly validated: readonly (readonly [number, ValidatedThread])[];
      readonly facts: SessionFacts;
    }
  | { readonly why: Omit<UnreadFile, 'file'> };

async function validateFile(
  file: SessionFile,
  models: readonly ModelInfo[],
): Promise<ValidatedFile> {
  try {
    const session = await importNamed(file);
    const { format } = session;
    const validated = mainThreads(session, file.name).flatMap(({ session: name, thread }, at) => {
      const found = studyThread(thread, { file: name, format, models });
      return found === undefined ? [] : [[at, found] as const];
    });
    const facts = sessionFacts(session, file.name, models);
    return { validated, facts: { ...facts, isInPlace: file.agent !== undefined } };
  } catch (error) {
    if (!TranscriptError.is(error)) throw error;
    return { why: whyUnread(error) };
  }
}
