import { execFile } from 'node:child_process';
import { platform, release } from 'node:os';
import { promisify } from 'node:util';
import { isRecord } from '@varve/guards';
import type { Entry, JsonObject } from '@varve/messages';
import { gitRunsPrograms } from '../permissions/git-config.ts';
import { repositoryOf } from '../permissions/paths.ts';

/** What the system prompt says of the surroundings. Taken once a session and kept in its log, so that its bytes stay. */
export interface PromptFacts {
  readonly cwd: string;
  readonly platform: string;
  readonly shell: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** What git says of the folder; empty where it is no repository. */
  readonly git: string;
  /** The output style of the settings. @default none */
  readonly style?: string | undefined;
}

const run = promisify(execFile);
const MOST_GIT_LINES = 40;

export async function takeFacts(cwd: string, shell: string, now: number): Promise<PromptFacts> {
  const system = `${platform()} ${release()}`;
  const date = new Date(now).toISOString().slice(0, 10);
  return { cwd, platform: system, shell, date, git: await gitStatus(cwd) };
}

async function gitStatus(cwd: string): Promise<string> {
  if (repositoryOf(cwd) === undefined) return '';
  const git = async (...args: string[]) => {
    const safe = ['--no-optional-locks', '--no-pager', ...args];
    const { stdout } = await run('git', safe, { cwd, timeout: 5_000 });
    return stdout.trimEnd();
  };
  // Nothing is run that came with a folder before anybody trusts it, and git would.
  if (await gitRunsPrograms(cwd)) return '';
  try {
    const [status, log] = await Promise.all([
      git('status', '--short', '--branch', '--ignore-submodules=all'),
      git('log', '--oneline', '-5').catch(() => ''), // there may be no commit yet
    ]);
    const lines = status.split('\n');
    const more = lines.length - MOST_GIT_LINES;
    const shown = lines.slice(0, MOST_GIT_LINES).join('\n');
    return `${shown}${more > 0 ? `\n… ${more} more` : ''}${log === '' ? '' : `\n\nLast commits:\n${log}`}`;
  } catch {
    return '';
  }
}

const BY = 'agent';
const KIND = 'prompt-facts';

/** The note that keeps facts in the log. */
export const factsNote = (facts: PromptFacts): { by: string; data: JsonObject } => ({
  by: BY,
  data: { kind: KIND, ...facts },
});

/** The facts of a session that is gone on with. */
export function factsOf(entries: readonly Entry[]): PromptFacts | undefined {
  for (const entry of entries) {
    if (entry.type !== 'note' || entry.by !== BY || !isRecord(entry.data)) continue;
    const { kind, ...facts } = entry.data;
    if (kind === KIND) return facts as unknown as PromptFacts;
  }
  return undefined;
}
