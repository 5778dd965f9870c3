import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isRecord, listOf, recordOf } from '@varve/guards';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Limits } from './loop.ts';
import { PERMISSION_MODES, type PermissionMode } from './permissions/permissions.ts';
import { faultOfRule, splitRules } from './permissions/rules.ts';
import { messageOf } from './shown.ts';
import { parseSwitch, parseValue, readSwitches } from './switches.ts';
import { version } from './version.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export const INPUT_FORMATS = ['text', 'stream-json'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** What was asked for, from flags and environment. */
export interface Options {
  readonly face: 'print' | 'terminal' | 'acp' | 'demo';
  /** A conversation in plain lines. */
  readonly plain: boolean;
  /** Leaves out memory and instruction files. */
  readonly simple: boolean;
  /** Leaves the scrollback of the terminal alone when its size changes. */
  readonly keepScrollback: boolean;
  /** As it was given; more may come from standard input. */
  readonly prompt?: string | undefined;
  readonly outputFormat: OutputFormat;
  /** What standard input holds of a prompt: all of it as text, or messages, a line for each. */
  readonly inputFormat: InputFormat;
  /** Which session to go on with. */
  readonly resume?:
    | { readonly kind: 'newest' }
    | { readonly kind: 'id'; readonly id: string | undefined }
    | undefined;
  readonly fork: boolean;
  /** How other sessions of the folder call this one in messages. */
  readonly name?: string | undefined;
  readonly model: string;
  /** Whether a flag or the environment named it; else settings may name another. */
  readonly isModelGiven: boolean;
  readonly anthropicKey?: string | undefined;
  readonly openaiKey?: string | undefined;
  readonly anthropicUrl?: string | undefined;
  readonly openaiUrl?: string | undefined;
  /** @default that of the settings */
  readonly permissionMode?: PermissionMode | undefined;
  /** Trusts what the settings of the folder want to run and to allow, as they are now. */
  readonly trusts: boolean;
  /** What `--settings` says. */
  readonly flagSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly limits: Limits;
  readonly ownPrompt?: string | undefined;
  readonly appended?: string | undefined;
  readonly configDir: string;
  readonly shell: string;
  readonly windowTokens?: number | undefined;
  readonly compactPercent?: number | undefined;
  readonly blockingLimit?: number | undefined;
  /** A session of another tool to go on with. */
  readonly importFile?: string | undefined;
  /** Where typed events go, a line of JSON each. */
  readonly telemetryFile?: string | undefined;
  /** Switches of layers, from flags and from the environment. */
  readonly layerFlags: Readonly<Record<string, unknown>>;
  readonly layerEnvironment: Readonly<Record<string, unknown>>;
  readonly memoryDir?: string | undefined;
  readonly remote?: true | string | undefined;
}

/** A call of the program that makes no sense, or asks for help. */
export class UsageError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Flags {
  readonly print?: true;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  readonly continue?: true;
  readonly resume?: string | true;
  readonly forkSession?: true;
  readonly name?: string;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly maxCost?: number;
  readonly permissionMode?: PermissionMode;
  readonly settings?: string;
  readonly mcpConfig?: string[];
  readonly allowedTools?: string[];
  readonly disallowedTools?: string[];
  readonly addDir?: string[];
  readonly trust?: true;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly baseUrl?: string;
  readonly acp?: true;
  readonly demo?: true;
  readonly plain?: true;
  readonly simple?: true;
  readonly keepScrollback?: true;
  readonly layer?: string[];
  readonly import?: string;
  readonly telemetry?: string;
}

/** How the program was called. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly configDir: string;
}

/** Reads flags, then the environment, which is read nowhere else, but for where configurations are. Throws `UsageError`. */
export function readOptions({ argv, env, configDir }: CommandLine): Options {
  const command = createCommand();
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError('', error.exitCode === 0 ? 0 : 2); // commander has said why
  }
  const flags = command.opts<Flags>();
  const { ANTHROPIC_API_KEY: anthropicKey, OPENAI_API_KEY: openaiKey } = env;
  const isOnlyOpenAI = openaiKey !== undefined && anthropicKey === undefined;
  const model = flags.model ?? env.VARVE_MODEL ?? (isOnlyOpenAI ? OPENAI_MODEL : ANTHROPIC_MODEL);
  if (flags.continue && flags.resume)
    throw new UsageError('Give --continue or --resume, not both.');
  if (flags.import && (flags.continue || flags.resume))
    throw new UsageError('Give --import, or a session to go on with, not both.');
  if (flags.forkSession && !flags.continue && !flags.resume)
    throw new UsageError('--fork-session needs --continue or --resume.');
  if (flags.inputFormat !== 'text' && !flags.print)
    throw new UsageError('--input-format needs --print.');
  if (flags.acp && (flags.continue || flags.resume || command.args.length > 0))
    throw new UsageError('With --acp the editor says which session and what to do.');
  checkPlaces(flags);
  return {
    face: faceOf(flags),
    plain: flags.plain ?? false,
    simple: flags.simple ?? isOn(env.VARVE_SIMPLE),
    keepScrollback: flags.keepScrollback ?? false,
    prompt: command.args.length === 0 ? undefined : command.args.join(' '),
    outputFormat: flags.outputFormat,
    inputFormat: flags.inputFormat,
    resume: resumeOf(flags),
    fork: flags.forkSession ?? false,
    name: flags.name,
    ...{ model, anthropicKey, openaiKey },
    isModelGiven: (flags.model ?? env.VARVE_MODEL) !== undefined,
    anthropicUrl: flags.baseUrl ?? env.ANTHROPIC_BASE_URL,
    openaiUrl: flags.baseUrl ?? env.OPENAI_BASE_URL,
    permissionMode: flags.permissionMode,
    trusts: flags.trust ?? false,
    flagSettings: flagSettingsOf(flags),
    limits: { turns: flags.maxTurns, dollars: flags.maxCost },
    ownPrompt: flags.systemPrompt,
    appended: flags.appendSystemPrompt,
    configDir,
    shell: env.SHELL ?? '/bin/sh',
    windowTokens: numberIn(env, 'VARVE_WINDOW'),
    compactPercent: numberIn(env, 'VARVE_COMPACT_PERCENT', 100),
    blockingLimit: numberIn(env, 'VARVE_BLOCKING_LIMIT'),
    importFile: flags.import,
    telemetryFile: flags.telemetry,
    layerFlags: layerFlagsOf(flags),
    ...layersIn(env),
  };
}

/** Folders and files that flags name: what is not there would be passed over without a word. */
function checkPlaces({ addDir = [], telemetry }: Flags): void {
  for (const folder of addDir)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`--add-dir: there is no folder ${folder}.`);
  if (telemetry === undefined) return;
  try {
    appendFileSync(telemetry, '');
  } catch (error) {
    throw new UsageError(`--telemetry cannot be written: ${messageOf(error)}`);
  }
}

function layerFlagsOf({ layer = [] }: Flags): Options['layerFlags'] {
  const flags = Object.fromEntries(layer.map(parseSwitch));
  const [problem] = readSwitches({ flags }).problems;
  if (problem !== undefined) throw new UsageError(`${problem}. /doctor lists them.`);
  return flags;
}

const ANTHROPIC_MODEL = 'claude-opus-5-5';
const OPENAI_MODEL = 'gpt-6.2-sol';

function createCommand(): Command {
  return new Command('varve')
    .description(
      'A coding agent that keeps its cache, survives kills and shows where every token goes.',
    )
    .argument('[prompt...]', 'what to do')
    .option('-p, --print', 'do it, print the answer, and end')
    .addOption(
      new Option('--output-format <format>', 'with --print')
        .choices(OUTPUT_FORMATS)
        .default('text'),
    )
    .addOption(
      new Option('--input-format <format>', 'with --print: of standard input')
        .choices(INPUT_FORMATS)
        .default('text'),
    )
    .option('-c, --continue', 'go on with the newest session of this folder')
    .option('-r, --resume [id]', 'go on with a session')
    .option('--fork-session', 'go on in a copy, and leave the session as it is')
    .option(
      '--name <name>',
      'how other sessions of this folder send messages to this one',
      addressee,
    )
    .option('--model <id>', 'the model')
    .option('--max-turns <count>', 'requests at most', wholeNumber)
    .option('--max-cost <dollars>', 'dollars at most, of this run', amount)
    .addOption(
      new Option('--permission-mode <mode>', 'what may run without asking').choices(
        PERMISSION_MODES,
      ),
    )
    .option('--allowed-tools <rules...>', 'rules of what runs without asking')
    .option('--disallowed-tools <rules...>', 'rules of what never runs')
    .option('--add-dir <folders...>', 'folders beside this one')
    .option('--settings <file or JSON>', 'more settings')
    .option('--mcp-config <files or JSON...>', 'MCP servers beside those of the settings')
    .option('--trust', 'trust what the settings of this folder run and allow, as they are now')
    .option('--system-prompt <text>', 'in place of the built-in one')
    .option('--append-system-prompt <text>', 'behind the built-in one')
    .option('--base-url <url>', 'another server that speaks the wire format of the model')
    .option('--simple', 'without memory and instruction files')
    .option('--plain', 'a conversation in plain lines, without a screen')
    .option('--acp', 'for editors: the Agent Client Protocol on standard input and output')
    .option(
      '--keep-scrollback',
      'let lines stand twice after a resize rather than clear what was there',
    )
    .option('--import <file>', 'go on with a session of another tool, such as Claude Code or Codex')
    .option('--telemetry <file>', 'append what the layers do to a file, a line of JSON each')
    .option('--layer <name=value...>', 'switch a layer for this run, e.g. memory=off')
    .option('--demo', 'show a short scripted session; needs no key')
    .version(version, '-v, --version')
    .exitOverride();
}

const faceOf = ({ demo, acp, print }: Flags): Options['face'] => {
  if (acp && print) throw new UsageError('Give --acp or --print, not both.');
  if (acp) return 'acp';
  return demo ? 'demo' : print ? 'print' : 'terminal';
};

const isOn = (value: string | undefined): boolean =>
  value !== undefined && !/^(?:|0|false|no|off)$/i.test(value);

const resumeOf = ({ continue: goesOn, resume }: Flags): Options['resume'] => {
  if (goesOn) return { kind: 'newest' };
  if (resume === undefined) return undefined;
  return { kind: 'id', id: resume === true ? undefined : resume };
};

/** `--settings` and the flags that say the same as a setting, as one file of settings. */
function flagSettingsOf({
  settings,
  mcpConfig = [],
  allowedTools,
  disallowedTools,
  addDir,
}: Flags): Options['flagSettings'] {
  const given = settings === undefined ? {} : givenSettings('--settings', settings);
  const permissions = recordOf(given.permissions);
  const join = (name: string, added: readonly string[] = []) => ({
    [name]: [...listOf(permissions[name]), ...added],
  });
  for (const list of ['allow', 'ask', 'deny'])
    for (const rule of listOf(permissions[list]))
      if (typeof rule === 'string') checkedRule(`--settings, permissions.${list}`, rule);
  const isGiven = settings ?? allowedTools ?? disallowedTools ?? addDir ?? mcpConfig[0];
  if (isGiven === undefined) return undefined;
  const servers = mcpConfig.map((config) =>
    recordOf(givenSettings('--mcp-config', config).mcpServers),
  );
  return {
    ...given,
    mcpServers: Object.assign({}, recordOf(given.mcpServers), ...servers),
    permissions: {
      ...permissions,
      ...join('allow', rulesIn('--allowed-tools', allowedTools)),
      ...join('deny', rulesIn('--disallowed-tools', disallowedTools)),
      ...join('additionalDirectories', addDir),
    },
  };
}

/** Rules as people give them: several of them, or one text with commas or blanks between them. */
const rulesIn = (flag: string, given: readonly string[] = []): string[] =>
  given.flatMap(splitRules).map((text) => checkedRule(flag, text));

/** A rule that was meant otherwise could allow more, or forbid less, than was asked for. Throws `UsageError`. */
function checkedRule(flag: string, text: string): string {
  const fault = faultOfRule(text);
  if (fault === undefined) return text;
  throw new UsageError(
    `${flag}: ${fault}. Write Tool or Tool(specifier), and put quotes around it for the shell: 'Bash(git diff:*)'.`,
  );
}

function givenSettings(flag: string, given: string): Readonly<Record<string, unknown>> {
  try {
    const text = given.trim().startsWith('{') ? given : readFileSync(given, 'utf8');
    const values: unknown = JSON.parse(text);
    if (isRecord(values)) return values;
  } catch (error) {
    throw new UsageError(`${flag} cannot be read: ${error}`);
  }
  throw new UsageError(`${flag} is to be an object of JSON, or a file of it.`);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('A whole number above 0 is needed.');
}

function addressee(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_-]{0,31}$/.test(text)) return text;
  throw new InvalidArgumentError('Letters, digits, - and _ are needed, 32 at most.');
}

function amount(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('A number above 0 is needed.');
}

/** What the environment says of layers and of memory. */
function layersIn(env: Environment): Pick<Options, 'layerEnvironment' | 'memoryDir' | 'remote'> {
  const switchIn = (name: string): boolean | undefined => {
    const text = env[name];
    if (text === undefined || text === '') return undefined;
    const value = text === '1' ? true : text === '0' ? false : parseValue(text);
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${name} is to be on or off, and is ${JSON.stringify(text)}.`);
  };
  const collapse = switchIn('VARVE_COLLAPSE');
  const { VARVE_MEMORY_DIR: memoryDir, VARVE_REMOTE: remote = '' } = env;
  return {
    layerEnvironment: {
      ...(switchIn('VARVE_NO_MEMORY') && { memory: false }),
      ...(switchIn('VARVE_NO_COMPACT') && { compact: false }),
      ...(collapse !== undefined && { collapse }),
    },
    ...(memoryDir && { memoryDir: resolve(memoryDir) }),
    ...(isAbsolute(remote) ? { remote } : switchIn('VARVE_REMOTE') && { remote: true as const }),
  };
}

function numberIn(env: Environment, name: string, most = Number.MAX_VALUE): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  const limit = most === Number.MAX_VALUE ? '' : ` and up to ${most}`;
  throw new UsageError(
    `${name} is to be a number above 0${limit}, and is ${JSON.stringify(text)}.`,
  );
}
