import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { ThinkingRule } from '@varve/messages';
import { EvalsError } from './error.ts';
import {
  PROVIDERS,
  type Provider,
  THINKING_RULES,
  TTLS,
  type Ttl,
  type Window,
} from './providers.ts';
import { REREADS, type Rereads } from './replay/ranges.ts';

/** What a command line asks for. */
export interface Arguments {
  readonly sessions: readonly string[];
  readonly strategies: readonly string[];
  readonly model?: string;
  readonly provider?: Provider;
  /** Tokens. */
  readonly window?: Window;
  readonly ttl?: Ttl;
  /** Share of the input price. */
  readonly readPrice?: number;
  readonly rereadFactor?: number;
  readonly rereads?: Rereads;
  readonly thinking?: ThinkingRule;
  /** What models are, as `<id>=<known id>` or with prices. */
  readonly overrides?: readonly string[];
  readonly peers: boolean;
  readonly jobs?: number;
  readonly out?: string;
  readonly json: boolean;
  /** Every strategy and figure, in place of the first screen. */
  readonly all: boolean;
  /** A word to explain. */
  readonly explain?: string;
  readonly help: boolean;
}

export interface ParseOptions {
  /** The flags that the command has. @default all */
  readonly only?: readonly Flag[] | undefined;
}

/** Reads a command line. Throws `bad-arguments` for a flag it does not know and a value it cannot use. */
export function parseArguments(args: readonly string[], { only }: ParseOptions = {}): Arguments {
  const values = parsed(args, only ?? FLAGS);
  const { model, provider, window, ttl, jobs, out, json = false, help = false } = values;
  const { all = false, explain } = values;
  const { thinking, 'read-price': readPrice, 'reread-factor': rereadFactor, rereads } = values;
  return {
    sessions: (values.sessions ?? []).map((path) => filled('sessions', path)),
    strategies: (values.strategy ?? []).flatMap(names),
    ...(model !== undefined && { model: filled('model', model) }),
    ...(provider !== undefined && { provider: oneOf('provider', provider, PROVIDERS) }),
    ...(window !== undefined && { window: windowOf(window) }),
    ...(ttl !== undefined && { ttl: oneOf('ttl', ttl, TTLS) }),
    ...(readPrice !== undefined && { readPrice: amount('read-price', readPrice, 1) }),
    ...(rereadFactor !== undefined && { rereadFactor: amount('reread-factor', rereadFactor) }),
    ...(rereads !== undefined && { rereads: oneOf('rereads', rereads, REREADS) }),
    ...(thinking !== undefined && { thinking: oneOf('thinking', thinking, THINKING_RULES) }),
    ...(values.override !== undefined && { overrides: values.override }),
    peers: values.peers ?? false,
    ...(jobs !== undefined && { jobs: count('jobs', jobs) }),
    ...(out !== undefined && { out: filled('out', out) }),
    json,
    all,
    ...(explain !== undefined && { explain: filled('explain', explain) }),
    help,
  };
}

function parsed(args: readonly string[], flags: readonly Flag[]) {
  const values = readFlags(withPaths(args), OPTIONS);
  const other = FLAGS.find((flag) => flag in values && !flags.includes(flag));
  if (other !== undefined) {
    throw new EvalsError('bad-arguments', `Unknown option '--${other}'. ${ADVICE}`);
  }
  return values;
}

/** The values of flags. Throws `bad-arguments` for one that is not among `options`, or lacks its value. */
export function readFlags<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: withNegatives(args), options }).values;
  } catch (cause) {
    throw new EvalsError('bad-arguments', `${reasonOf(cause)}. ${ADVICE}`, { cause });
  }
}

const ADVICE = 'Run with --help to see the flags.';

/** What Node says of a command line, in one short sentence. */
function reasonOf(cause: unknown): string {
  const { code, message = '' } = cause as Partial<NodeJS.ErrnoException>;
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    return `There is no command \`${named}\`, and nothing takes it as a value`;
  }
  const isMissing = code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && !/not take/.test(message);
  if (isMissing) return `Expected a value after ${named.replace(/ .*/, '')}`;
  return message.replace(/\.? To specify.*$/s, '');
}

/** `--window -5` is `--window=-5`, so that it is refused for what it is. */
function withNegatives(args: readonly string[]): string[] {
  return args.flatMap((word, at) => {
    const isNext = /^-\d/.test(args[at + 1] ?? '');
    if (word.startsWith('--') && isNext) return [`${word}=${args[at + 1]}`];
    return /^-\d/.test(word) && args[at - 1]?.startsWith('--') ? [] : [word];
  });
}

/** A path that stands alone is `--sessions <path>`; a word that is none may be a command that is mistyped. */
function withPaths(args: readonly string[]): string[] {
  return repeated(args).flatMap((word, at, all) => {
    const before = all[at - 1] ?? '';
    const isValue = before.startsWith('--') && !before.includes('=') && takesValue(before.slice(2));
    const isPath = !word.startsWith('-') && (/[/\\]|^~$/.test(word) || existsSync(word));
    return !isValue && isPath ? ['--sessions', word] : [word];
  });
}

const takesValue = (flag: string): boolean =>
  Object.entries(OPTIONS).some(([name, { type }]) => name === flag && type === 'string');

/** `--sessions a b` is `--sessions a --sessions b`: a shell's `*` gives the first. */
function repeated(args: readonly string[]): string[] {
  let flag = '';
  return args.flatMap((word, at) => {
    const isValue = !word.startsWith('-');
    if (!isValue) flag = word;
    return isValue && flag === '--sessions' && args[at - 1] !== flag ? [flag, word] : [word];
  });
}

const OPTIONS = {
  sessions: { type: 'string', multiple: true },
  strategy: { type: 'string', multiple: true },
  model: { type: 'string' },
  provider: { type: 'string' },
  window: { type: 'string' },
  ttl: { type: 'string' },
  'read-price': { type: 'string' },
  'reread-factor': { type: 'string' },
  rereads: { type: 'string' },
  thinking: { type: 'string' },
  override: { type: 'string', multiple: true },
  peers: { type: 'boolean' },
  jobs: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  explain: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Flag = keyof typeof OPTIONS;
const FLAGS = Object.keys(OPTIONS) as readonly Flag[];
/** Those that choose sessions, strategies and prices, and where the report goes. */
export const REPLAY_FLAGS: readonly Flag[] = FLAGS.filter(
  (flag) => flag !== 'all' && flag !== 'explain',
);

/** Separated by commas, which may be too many. */
function names(list: string): readonly string[] {
  const found = list.split(',').filter(isFilled);
  if (found.length > 0) return found;
  throw badValue('strategy', list, 'a name or the path of a file');
}

function oneOf<Value extends string>(flag: string, value: string, values: readonly Value[]): Value {
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  throw badValue(flag, value, `one of ${values.join(', ')}`);
}

const windowOf = (value: string): Window =>
  value === 'none' ? value : count('window', value, ' or none');

function count(flag: string, value: string, others = ''): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw badValue(flag, value, `a whole number above 0${others}`);
}

function amount(flag: string, value: string, most = Number.POSITIVE_INFINITY): number {
  const number = isFilled(value) ? Number(value) : Number.NaN;
  if (Number.isFinite(number) && number > 0 && number <= most) return number;
  const limit = Number.isFinite(most) ? ` and at most ${most}` : '';
  throw badValue(flag, value, `a number above 0${limit}`);
}

export function filled(flag: string, value: string): string {
  if (isFilled(value)) return value;
  throw badValue(flag, value, 'a value');
}

const isFilled = (value: string): boolean => value.trim() !== '';

const badValue = (flag: string, value: string, expected: string): EvalsError =>
  new EvalsError('bad-arguments', `Expected --${flag} to be ${expected}, got \`${value}\`.`);
