import { join } from 'node:path';
import type { Context, ContextOptions } from '@varve/context';
import type { Dream } from '@varve/dream';
import { withinTime } from '@varve/guards';
import type { Entry } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import type { ModelClient } from '@varve/models';
import type { SessionMemory } from '@varve/session-memory';
import { resolveModel } from '@varve/tokens';
import { createToolStorage, type ToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import type { Emit } from './events.ts';
import type { InstructionFile } from './instructions/instructions.ts';
import { createProjectDream } from './memory/dream.ts';
import { type MemoryPlace, openMemory, type ProjectMemory } from './memory/memory.ts';
import { createSessionNotes } from './memory/notes.ts';
import { type ConnectedModel, modelsOf } from './model.ts';
import type { Settings } from './settings/settings.ts';
import {
  featureSwitches,
  type ReadSwitches,
  readSwitches,
  type Switches,
  startNote,
  startOf,
} from './switches.ts';

type Compaction = NonNullable<ContextOptions['compaction']>;

/** What of a session's options is about its layers. */
export interface LayerOptions extends MemoryPlace {
  readonly model: string;
  readonly connect: (model: string) => ConnectedModel;
  readonly emit: Emit;
  /** Of `--layer`, and of the environment. */
  readonly layerFlags?: Readonly<Record<string, unknown>> | undefined;
  readonly layerEnvironment?: Readonly<Record<string, unknown>> | undefined;
  /** Neither memory nor instruction files, and no word of them in the prompt. @default false */
  readonly simple?: boolean | undefined;
  /** It ends with its first turn, so that no dream begins. @default false */
  readonly isOneTurn?: boolean | undefined;
  /** Prompts of so many tokens are not sent. @default the window alone */
  readonly blockingLimit?: number | undefined;
  /** Of what a conversation can fill, in percent: to compact earlier. */
  readonly compactPercent?: number | undefined;
  readonly windowTokens?: number | undefined;
}

export interface OpenLayersOptions {
  readonly options: LayerOptions;
  readonly settings: Settings;
  readonly sessionId: string;
  /** Holds the logs of the project. */
  readonly folder: string;
  readonly entries: readonly Entry[];
  /** Sessions that this one was forked from. */
  readonly bases: readonly string[];
  readonly client: () => ModelClient;
  readonly context: () => Context;
  /** Files of instructions that a session of the project is given. */
  readonly instructions: () => readonly InstructionFile[];
}

/** The layers of a session, as its switches have them, and what of them has to be begun and ended. */
export interface Layers {
  readonly read: ReadSwitches;
  readonly switches: Switches;
  /** Undefined where results go in as they are. */
  readonly storage: ToolStorage | undefined;
  /** What a context takes, beside `storage`. */
  readonly context: Pick<ContextOptions, 'layers' | 'snip' | 'memory' | 'blockingLimitTokens'>;
  readonly compaction: Omit<Compaction, 'summarize'>;
  /** Undefined where there is none. */
  readonly memory: ProjectMemory | undefined;
  readonly dream: Dream | undefined;
  readonly notes: SessionMemory;
  /** The file of the notes. */
  readonly notesPath: string;
  /** Has the log hold what the prompt depends on. */
  begin(): Promise<void>;
  /** After a turn; nothing waits for what it starts. */
  turnDone(): void;
  close(): Promise<void>;
}

/** What is left out of a simple session. */
const BARE = { memory: false, instructions: false };

/** How long the end of a session waits for memory, in milliseconds. */
const CLOSE_MS = 10_000;

export async function openLayers(given: OpenLayersOptions): Promise<Layers> {
  const { options, settings, sessionId, folder, entries, bases, client, context, instructions } =
    given;
  const { model, connect, emit, remote, isOneTurn = false } = options;
  const start = startOf(entries);
  const { isBare, memoryDir } = start ?? { ...options, isBare: options.simple ?? false };
  const read = readSwitches({
    flags: options.simple ? { ...BARE, ...options.layerFlags } : options.layerFlags,
    environment: options.layerEnvironment,
    features: await featureSwitches(),
    ...{ settings: settings.layers, start },
  });
  const switches = read.values;
  const storage = switches.toolStorage
    ? createToolStorage({
        ...{ store: fileStore(join(folder, 'results')), sessionId, bases },
        ...thresholdsOf(switches['toolStorage.thresholds']),
      })
    : undefined;
  const memory = isBare
    ? undefined
    : openMemory({
        ...options,
        memoryDir: memoryDir ?? options.memoryDir,
        ...{ switches, isWanted: read.asked.memory, smallModel: settings.smallModel },
      });
  const isAutomatic = switches.dream && !isOneTurn;
  const dream =
    memory &&
    createProjectDream({
      ...{ memory, cwd: options.cwd, sessions: folder, connect, emit, instructions },
      isAutomatic,
      isRemote: remote !== undefined,
      addBill: (bill) => void context().addUsage({ by: 'dream', ...bill }),
    });
  const notesPath = join(folder, sessionId, 'session-memory', 'summary.md');
  const notes = createSessionNotes({
    path: notesPath,
    thresholds: switches['notes.thresholds'],
    ...{ context, client, emit, models: modelsOf(model, options.windowTokens) },
    addBill: (bill) => void context().addUsage({ by: 'session-memory', ...bill }),
  });
  return {
    ...{ read, switches, storage, memory, dream, notes, notesPath },
    context: {
      layers: clearingOf(switches, { model, storage }),
      snip: switches.snip ? {} : undefined,
      memory: memory?.option,
      blockingLimitTokens: options.blockingLimit,
    },
    compaction: compactionOf(switches, { notes, percent: options.compactPercent, emit }),
    async begin() {
      if (start !== undefined) return;
      const data = startNote(switches, { isBare, memoryDir: memory?.path });
      await context().note({ by: 'agent', data });
    },
    turnDone() {
      if (isAutomatic) void dream?.afterLoop({ sessionId });
    },
    async close() {
      await Promise.all([
        withinTime((signal) => context().close({ signal }), { limitMs: CLOSE_MS }).catch(
          () => undefined, // it comes to the rest another time
        ),
        dream?.close(),
        notes.close(),
      ]);
    },
  };
}

/** Never storing what Read gives spares storing what is a file already. */
function thresholdsOf(given: Switches['toolStorage.thresholds']) {
  const charsOf = (chars: number | null) => chars ?? Number.POSITIVE_INFINITY;
  const tools = { Read: Number.POSITIVE_INFINITY };
  if (given === null || typeof given === 'number') return { threshold: charsOf(given), tools };
  const own = Object.entries(given).map(([name, chars]) => [name, charsOf(chars)] as const);
  return { tools: { ...tools, ...Object.fromEntries(own) } };
}

/** What clears old results; undefined where the context's own layers do as the switches say. */
function clearingOf(
  switches: Switches,
  { model, storage }: { readonly model: string; readonly storage: ToolStorage | undefined },
): ContextOptions['layers'] {
  const mechanisms = (['time', 'count', 'rent'] as const).filter(
    (name) => switches[`clear.${name}`],
  );
  const isServer = switches['clear.server'] && resolveModel(model).model.provider === 'anthropic';
  const isInCache = switches['clear.cacheEdits'];
  if (!isServer && !isInCache && mechanisms.join() === 'rent') return undefined;
  if (!isServer && !isInCache && mechanisms.length === 0) return [];
  const planner = createMicrocompact({
    ...{ mechanisms, handleOf: storage?.handleOf },
    ...(isServer && { server: {} }),
    ...(isInCache && { experimental_cacheEdits: {} }),
  });
  return [{ name: 'microcompact', planner }];
}

interface CompactionParts {
  readonly notes: SessionMemory;
  readonly percent: number | undefined;
  readonly emit: Emit;
}

function compactionOf(
  switches: Switches,
  { notes, percent, emit }: CompactionParts,
): Layers['compaction'] {
  const { observe, snapshot, afterResponse } = notes;
  const off = { kind: 'wait', reason: 'disabled' } as const;
  return {
    percent,
    switches: () => ({
      enabled: switches.compact,
      auto: switches['compact.auto'],
      reactiveOnly: switches.reactiveOnly,
    }),
    reactive: switches.reactive,
    verify: switches['compact.verify'],
    onAttempt: (attempt) => emit({ kind: 'summary-attempt', attempt }),
    ...(switches.collapse && { collapse: {} }),
    ...(!switches['compact.sharePrefix'] && { mark: (request) => ({ ...request, markers: [] }) }),
    notes: {
      // taken by hand only, they stand in for no summary
      enabled: switches.notes && switches['notes.asSummary'],
      memory: { observe, snapshot, afterResponse: switches.notes ? afterResponse : () => off },
    },
  };
}
