import { isRecord, recordOf } from '@varve/guards';
import type { Entry } from '@varve/messages';
import { z } from 'zod';
import { type AgentNote, notesOf } from './notes.ts';

const onOff = z.boolean();
const tokens = z.number().int().positive();
/** Characters from which on results are stored: of all tools, or by the name of a tool; `null` never. */
const chars = z.union([z.number().positive(), z.null()]);

/** What each switch takes, and what it is where nobody says otherwise. */
const SWITCHES = {
  /** Large results are stored, and the model reads them back piece by piece. */
  toolStorage: { type: onOff, default: true },
  'toolStorage.thresholds': {
    type: z.union([chars, z.record(z.string(), chars)]),
    default: {} as Thresholds,
  },
  /** Old results are cleared after an hour of silence, by their count, or once keeping them has cost more than clearing them. */
  'clear.time': { type: onOff, default: false },
  'clear.count': { type: onOff, default: false },
  'clear.rent': { type: onOff, default: true },
  /** Anthropic clears in place of the agent; or results are deleted in its cache, which no public provider takes. */
  'clear.server': { type: onOff, default: false },
  'clear.cacheEdits': { type: onOff, default: false },
  /** Oldest rounds are dropped without a summary. */
  snip: { type: onOff, default: false },
  /** Old stretches are folded one by one before a compaction is due. */
  collapse: { type: onOff, default: false },
  /** A request that was refused as too long is made smaller and sent again; `reactiveOnly`: nothing is compacted before. */
  reactive: { type: onOff, default: true },
  reactiveOnly: { type: onOff, default: false },
  /** Compaction as a whole, by hand as well; `auto`: the one that comes by itself. */
  compact: { type: onOff, default: true },
  'compact.auto': { type: onOff, default: true },
  'compact.sharePrefix': { type: onOff, default: true },
  'compact.verify': { type: onOff, default: true },
  /**
   * Notes are taken while the session goes on, and stand in for a summary. Off: each is a call that reads the whole conversation. Every
   * 5,000 tokens they cost from a third to two fifths more than the session without them in a replay of 36 recorded sessions; here it is every 20,000.
   */
  notes: { type: onOff, default: false },
  'notes.asSummary': { type: onOff, default: true },
  'notes.thresholds': {
    type: z
      .strictObject({ firstTokens: tokens, growthTokens: tokens, toolCalls: tokens })
      .partial(),
    default: {} as NotesThresholds,
  },
  /** Long-term memory: its rules, its index, and what is recalled. Nothing of it calls a model. */
  memory: { type: onOff, default: true },
  /** A pass of a small model behind an answer, which takes out what later sessions should know. */
  'memory.extract': { type: onOff, default: false },
  'memory.extractEvery': { type: z.number().int().positive(), default: 1 },
  'memory.index': { type: onOff, default: true },
  'memory.recall': { type: onOff, default: true },
  /** Memory is tidied by itself, once a day at most. */
  dream: { type: onOff, default: false },
  /** The agents are listed in a message, and not in the definition of a tool. */
  'agentList.asMessage': { type: onOff, default: true },
  /** AGENTS.md, CLAUDE.md and rules. */
  instructions: { type: onOff, default: true },
} as const;

type Thresholds = number | null | Readonly<Record<string, number | null>>;
interface NotesThresholds {
  readonly firstTokens?: number | undefined;
  readonly growthTokens?: number | undefined;
  readonly toolCalls?: number | undefined;
}

export type SwitchName = keyof typeof SWITCHES;

/** The value of each switch. */
export type Switches = {
  readonly [Name in SwitchName]: (typeof SWITCHES)[Name]['default'] extends boolean
    ? boolean
    : (typeof SWITCHES)[Name]['default'] extends number
      ? number
      : (typeof SWITCHES)[Name]['default'];
};

export const SWITCH_NAMES = Object.keys(SWITCHES) as readonly SwitchName[];

/** Those whose value stands in the prompt: a session keeps them for its life. */
const IN_PROMPT = [
  ...(['toolStorage', 'memory', 'memory.index', 'agentList.asMessage', 'instructions'] as const),
] as const satisfies readonly SwitchName[];

/** Who may set switches, the strongest first. */
export type SwitchSource = 'session' | 'flag' | 'environment' | 'feature' | 'settings' | 'default';

export interface SwitchSources {
  /** Of `--layer`. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined;
  readonly environment?: Readonly<Record<string, unknown>> | undefined;
  /** Of a provider of feature flags. */
  readonly features?: Readonly<Record<string, unknown>> | undefined;
  /** `varve.layers` of the settings. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** What a session that is gone on with began with: what stands in its prompt stays as it is. */
  readonly start?: SessionStart | undefined;
}

export interface ReadSwitches {
  readonly values: Switches;
  /** The same for a session that would begin now. */
  readonly asked: Switches;
  /** Who set those that are not as they come. */
  readonly from: Readonly<Partial<Record<SwitchName, SwitchSource>>>;
  /** What was said and does nothing, in words. */
  readonly problems: readonly string[];
}

/** The value of every switch: what a session began with, then flag, environment, feature flag, settings, default. */
export function readSwitches(sources: SwitchSources): ReadSwitches {
  const { flags = {}, environment = {}, features = {}, settings = {}, start } = sources;
  const problems = new Set<string>();
  const from: Partial<Record<SwitchName, SwitchSource>> = {};
  const now = [
    ['flag', flags],
    ['environment', environment],
    ['feature', features],
    ['settings', flat(settings)],
  ] as const;
  const layers: (readonly [SwitchSource, Readonly<Record<string, unknown>>])[] = [
    ['session', start?.values ?? {}],
    ...now,
  ];
  for (const [source, given] of layers)
    for (const name of Object.keys(given))
      if (!isSwitch(name)) problems.add(`${NAMES[source]}: there is no layer ${name}`);
  const readOne = (name: SwitchName, sources: typeof layers): unknown => {
    for (const [source, given] of sources) {
      if (given[name] === undefined) continue;
      const read = SWITCHES[name].type.safeParse(given[name]);
      if (read.success) {
        from[name] = source;
        return read.data;
      }
      problems.add(`${NAMES[source]}: ${name} cannot be ${JSON.stringify(given[name])}`);
    }
    return SWITCHES[name].default;
  };
  const valuesOf = (sources: typeof layers) =>
    Object.fromEntries(
      SWITCH_NAMES.map((name) => [name, readOne(name, sources)]),
    ) as unknown as Switches;
  const asked = valuesOf([...now]);
  return { asked, values: valuesOf(layers), from, problems: [...problems] };
}

/** Names as people nest them: `{ clear: { time: true } }` for `clear.time`. */
const flat = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const isGroup =
        isRecord(value) && (!isSwitch(name) || !SWITCHES[name].type.safeParse(value).success);
      if (!isGroup) return [[name, value]];
      return Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each]);
    }),
  );

const NAMES: Readonly<Record<SwitchSource, string>> = {
  session: 'the log of the session',
  flag: '--layer',
  environment: 'the environment',
  feature: 'feature flags',
  settings: 'varve.layers',
  default: 'default',
};

const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

/** `clear.time=on`, `memory.extractEvery=5`, `toolStorage.thresholds={"Bash":20000}` as a name and a value. */
export function parseSwitch(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, 'on'] : [text.slice(0, at), text.slice(at + 1)];
  return [name, parseValue(value)];
}

export function parseValue(text: string): unknown {
  if (/^(?:on|true|yes)$/i.test(text)) return true;
  if (/^(?:off|false|no)$/i.test(text)) return false;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const KIND = 'switches';

/** What the prompt of a session depends on. */
export interface SessionStart {
  /** Switches by their names. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Nothing of memory stands in the prompt, not even that there is none. */
  readonly isBare: boolean;
  /** The folder that the rules of memory name. */
  readonly memoryDir?: string | undefined;
}

/** The note that keeps it in the log. */
export function startNote(
  values: Switches,
  { isBare, memoryDir }: Omit<SessionStart, 'values'>,
): AgentNote {
  const kept = Object.fromEntries(IN_PROMPT.map((name) => [name, values[name]]));
  const data = { kind: KIND, values: kept, isBare };
  return memoryDir === undefined ? data : { ...data, memoryDir };
}

/** What a session that is gone on with began with; undefined where its log does not say. */
export function startOf(entries: readonly Entry[]): SessionStart | undefined {
  const [first] = notesOf(entries, KIND);
  if (first === undefined) return undefined;
  const { values, isBare, memoryDir } = first;
  return {
    ...{ values: recordOf(values), isBare: isBare === true },
    memoryDir: typeof memoryDir === 'string' ? memoryDir : undefined,
  };
}

interface FeatureClient {
  getBooleanDetails(key: string, fallback: boolean): Promise<FeatureDetails>;
  getNumberDetails(key: string, fallback: number): Promise<FeatureDetails>;
  getObjectDetails(key: string, fallback: never): Promise<FeatureDetails>;
}
interface FeatureDetails {
  readonly value: unknown;
  readonly reason?: string | undefined;
  readonly errorCode?: string | undefined;
}

/**
 * What a provider of OpenFeature says of `varve.<switch>`, where `@openfeature/server-sdk` is installed and a provider was set in
 * this process, e.g. by `NODE_OPTIONS=--import ./flags.mjs`.
 */
export async function featureSwitches(): Promise<Readonly<Record<string, unknown>>> {
  const sdk = await import('@openfeature/server-sdk').catch(() => undefined);
  if (sdk === undefined || sdk.OpenFeature.providerMetadata.name === NO_PROVIDER) return {};
  const client = sdk.OpenFeature.getClient('varve') as unknown as FeatureClient;
  const asked = SWITCH_NAMES.map(async (name) => {
    const details = await detailsOf(client, name);
    const isSaid = details.errorCode === undefined && !UNSAID.has(details.reason ?? '');
    return isSaid ? ([[name, details.value]] as const) : [];
  });
  return Object.fromEntries((await Promise.all(asked)).flat());
}

const NO_PROVIDER = 'No-op Provider';
/** Reasons of a value that is only the one that was asked with. */
const UNSAID: ReadonlySet<string> = new Set(['DEFAULT', 'DISABLED']);

function detailsOf(client: FeatureClient, name: SwitchName): Promise<FeatureDetails> {
  const key = `varve.${name}`;
  const fallback: unknown = SWITCHES[name].default;
  if (typeof fallback === 'boolean') return client.getBooleanDetails(key, fallback);
  if (typeof fallback === 'number') return client.getNumberDetails(key, fallback);
  return client.getObjectDetails(key, fallback as never);
}
