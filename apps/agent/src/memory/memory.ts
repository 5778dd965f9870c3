import { join } from 'node:path';
import type { ContextOptions } from '@varve/context';
import { createMemdir, type Memdir } from '@varve/memdir';
import { diskFolder, memoryPath } from '@varve/memdir/node';
import type { ConnectedModel } from '../model.ts';
import { type Rule, readRule } from '../permissions/rules.ts';
import type { Switches } from '../switches.ts';
import { smallModelOf } from './small-model.ts';

type ContextMemory = NonNullable<ContextOptions['memory']>;

export interface MemoryPlace {
  readonly cwd: string;
  /** Holds what is kept of all projects. */
  readonly configDir: string;
  /** The memory folder itself. @default that of the project below `configDir` */
  readonly memoryDir?: string | undefined;
  /** A run on another machine: nothing is kept by itself; a folder is where memory is kept between runs. @default this is none */
  readonly remote?: true | string | undefined;
}

export interface MemoryOptions extends MemoryPlace {
  readonly switches: Switches;
  /** Whether a session that began now would have memory: what one began with stands in its prompt for good. */
  readonly isWanted: boolean;
  /** Of the session. */
  readonly model: string;
  /** Of extraction and dreams. @default the small model of the provider */
  readonly smallModel?: string | undefined;
  readonly connect: (model: string) => ConnectedModel;
}

/** Long-term memory of the project that a session is in. */
export interface ProjectMemory {
  readonly memory: Memdir;
  readonly path: string;
  /** What a context takes. */
  readonly option: ContextMemory;
  /** The model of extraction and dreams. */
  readonly model: string;
  /** Whether anything of it may run in the background. */
  readonly isOn: boolean;
}

/** How long a model may take to look through a turn, in milliseconds. */
const EXTRACTION_MS = 60_000;

/** The memory folder and what a context is to do with it. The folder is made once a session with memory begins. */
export function openMemory(options: MemoryOptions): ProjectMemory {
  const { switches, remote, connect, isWanted } = options;
  const path = memoryFolder(options);
  const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
  const model = options.smallModel ?? smallModelOf(options.model);
  const isOn = switches.memory && isWanted;
  const extracts = isOn && remote === undefined && switches['memory.extract'];
  return {
    ...{ memory, path, model, isOn },
    option: {
      ...{ memory, isOn: switches.memory, hasIndex: switches['memory.index'] },
      recall: isOn && switches['memory.recall'] ? {} : false,
      ...(extracts && {
        extraction: {
          ...{ client: connect(model).client, model, timeoutMs: EXTRACTION_MS },
          everyTurns: switches['memory.extractEvery'],
        },
      }),
    },
  };
}

/** Where the memory of a project is: one folder for all worktrees of a repository. */
export function memoryFolder({ cwd, configDir, memoryDir, remote }: MemoryPlace): string {
  const remoteRoot = typeof remote === 'string' ? remote : undefined;
  return memoryPath({ cwd, root: configDir, remoteRoot, folder: memoryDir });
}

/** Rules that let the model read and change memory without asking: its folder lies outside of the project. */
export function memoryAccess(path: string, cwd: string): Rule[] {
  return ['Read', 'Edit'].flatMap((tool) => {
    const read = readRule(`${tool}(/${join(path, '**')})`, cwd);
    return read.kind === 'rule' ? [read.rule] : [];
  });
}
