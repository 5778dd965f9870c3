import { join, relative, sep } from 'node:path';

const here = import.meta.dirname;

/** The project's own recorded sessions, where the package runs in its workspace. */
export const defaultSessions = (): string =>
  relative('', join(here, '..', '..', 'fixtures', 'sessions'));

/** Summaries that were written once for these sessions. */
export const defaultSummaries = (): string =>
  relative('', join(here, '..', '..', 'fixtures', 'summaries'));

/** Beside the sources in the workspace; in the working folder where the package is installed. */
export const defaultOut = (): string =>
  here.split(sep).includes('node_modules')
    ? 'varve-results'
    : relative('', join(here, '..', 'results'));
