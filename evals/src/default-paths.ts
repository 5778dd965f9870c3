import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { EvalsError } from './error.ts';

const here = import.meta.dirname;

/** The project's own recorded sessions, where the package runs in its workspace. */
export const defaultSessions = (folder = here): string =>
  relative('', join(folder, '..', '..', 'fixtures', 'sessions'));

/**
 * The sessions that are asked for, else the project's own recorded ones, which only its repository holds. Throws
 * `no-sessions` where there are none of either.
 */
export function sessionsOr(given: readonly string[], folder = here): readonly string[] {
  if (given.length > 0) return given;
  const own = defaultSessions(folder);
  if (existsSync(own)) return [own];
  throw new EvalsError(
    'no-sessions',
    'The sessions that are replayed by default are in the repository of this package only. Pass --sessions <folder>, e.g. ~/.claude/projects.',
  );
}

/** Summaries that were written once for these sessions. */
export const defaultSummaries = (): string =>
  relative('', join(here, '..', '..', 'fixtures', 'summaries'));

/** Where the paths of a chain begin, in its repository. */
export const repositoryRoot = (): string => relative('', join(here, '..', '..')) || '.';

/** The chains of sessions with planted items, in the repository only. */
export const defaultChains = (): string => relative('', join(here, '..', 'chains'));

/** What one needs to go on at places of recorded sessions, in the repository only. */
export const defaultQuestions = (): string =>
  relative('', join(here, '..', 'questions', 'questions.json'));

/** What readers answered from texts that were made for the questions. */
export const defaultReadings = (): string =>
  relative('', join(here, '..', 'questions', 'readings'));

/** Answers that a model wrote once, by the requests of a memory's writer. */
export const defaultRecordings = (): string =>
  relative('', join(here, '..', '..', 'fixtures', 'memory'));

/** Beside the sources in the workspace; in the working folder where the package is installed. */
export const defaultOut = (): string =>
  here.split(sep).includes('node_modules')
    ? 'varve-results'
    : relative('', join(here, '..', 'results'));
