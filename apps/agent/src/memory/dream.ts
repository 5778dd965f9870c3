import { createDream, type Dream } from '@varve/dream';
import { agentFork } from '@varve/dream/agent';
import { consolidateLock, gitLookup, sessionFolder } from '@varve/dream/node';
import type { Usage } from '@varve/messages';
import type { Emit } from '../events.ts';
import type { ConnectedModel } from '../model.ts';
import { gitRunsPrograms } from '../permissions/git-config.ts';
import type { ProjectMemory } from './memory.ts';

export interface ProjectDreamOptions {
  readonly memory: ProjectMemory;
  readonly cwd: string;
  /** Holds the logs of the project. */
  readonly sessions: string;
  /** Files of instructions that a session of the project is given. */
  readonly instructions: () => readonly { readonly path: string; readonly text: string }[];
  readonly connect: (model: string) => ConnectedModel;
  /** Whether it begins by itself, where it is time. */
  readonly isAutomatic: boolean;
  readonly isRemote: boolean;
  readonly emit: Emit;
  readonly addBill: (bill: { readonly model: string; readonly usage: Usage }) => void;
}

const MOST_OUTPUT_TOKENS = 8_000;

/** Tidies the memory of the project, by itself or by `/dream`, with the small model. */
export function createProjectDream(options: ProjectDreamOptions): Dream {
  const { memory: project, cwd, connect, isAutomatic, isRemote, emit, addBill } = options;
  const { memory, path, model } = project;
  const logs = sessionFolder(options.sessions);
  const lookUp = gitLookup(cwd);
  let isGitUnsafe: Promise<boolean> | undefined;
  return createDream({
    ...{ memory, now: Date.now, lock: consolidateLock(path) },
    isOff() {
      if (!isAutomatic) return 'switched-off';
      if (!project.isOn) return 'memory-off';
      return isRemote ? 'remote' : undefined;
    },
    sessions: {
      ...logs,
      // Below the logs lie results and notes, which are no sessions.
      list: async (given) => (await logs.list(given)).filter(({ id }) => !id.includes('/')),
    },
    instructions: async () => options.instructions(),
    async git(named, given) {
      isGitUnsafe ??= gitRunsPrograms(cwd);
      return (await isGitUnsafe) ? 'not-checkable' : lookUp(named, given);
    },
    async runFork(fork) {
      const { client, params } = connect(model);
      const run = agentFork({ client, model, params, maxOutputTokens: MOST_OUTPUT_TOKENS });
      const outcome = await run(fork);
      if (outcome.kind === 'done' && outcome.usage) addBill({ model, usage: outcome.usage });
      return outcome;
    },
    onEvent: (event) => emit({ kind: 'dream', event }),
  });
}
