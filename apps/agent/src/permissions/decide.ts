import { dirname, isAbsolute, relative } from 'node:path';
import { recordOf, textOf } from '@varve/guards';
import { shown } from '../shown.ts';
import { pathIn } from '../tools/files.ts';
import { PLAN_TOOL } from '../tools/plan.ts';
import type { ToolCall } from '../tools/tool.ts';
import { reachOf } from '../tools/web.ts';
import { gitRunsPrograms } from './git-config.ts';
import { addsFiles, knowsFiles, showsOthers } from './git-shows.ts';
import { isControl, isFolder, isSecret, isWithin, realPathOf } from './paths.ts';
import { filesOf } from './patterns.ts';
import type {
  Answer,
  Ask,
  DecideOptions,
  Decision,
  PermissionMode,
  Permissions,
} from './permissions.ts';
import {
  EDITORS,
  fitsCommand,
  fitsDomain,
  fitsPath,
  forbidsFile,
  forbidsTool,
  isAbout,
  READERS,
  type Rule,
  readRule,
  searchGlob,
} from './rules.ts';
import {
  formsOf,
  isReader,
  isRunner,
  type MayRead,
  pathsOfRevision,
  readsFolders,
  usesGit,
  withoutTimers,
} from './shell-class.ts';
import {
  loadShellReader,
  type ReadShellLine,
  type ShellLine,
  type SimpleCommand,
  type Word,
} from './shell-line.ts';

export interface PermissionOptions {
  readonly mode: PermissionMode;
  readonly cwd: string;
  /** Folders beside `cwd` from which rules that forbid or ask start, where it is a copy of them. @default none */
  readonly copyOf?: readonly string[] | undefined;
  /** Folders beside `cwd` in which files may be read and, with `acceptEdits`, changed. @default none */
  readonly folders?: readonly string[] | undefined;
  readonly allow?: readonly Rule[] | undefined;
  readonly ask?: readonly Rule[] | undefined;
  readonly deny?: readonly Rule[] | undefined;
  /** Asks a person. @default nobody can be asked, so that it is refused */
  readonly askPerson?: Ask | undefined;
  /** Has the rule that a person allowed. */
  readonly onAllowed?:
    | ((answer: Answer & { kind: 'session' | 'always' }) => Promise<void>)
    | undefined;
}

type Access =
  | {
      readonly kind: 'shell';
      readonly text: string;
      readonly line: ShellLine;
      readonly commands: readonly SimpleCommand[];
      /** Rules with a file that git may show, although the line does not name it. */
      readonly shownByGit: ReadonlySet<Rule>;
    }
  | { readonly kind: 'read' | 'edit'; readonly paths: readonly string[] }
  | { readonly kind: 'fetch'; readonly address: string }
  | { readonly kind: 'other' };

/** What a rule says of a call: `maybe` where that is not known before it runs. */
type Fit = 'never' | 'maybe' | 'yes';

/** What is missing for a call to run without asking. */
interface Missing {
  readonly reason: string;
  readonly rules: readonly string[];
}

/** Variables that change what a command prints, and not what it runs. */
const HARMLESS_VARIABLES =
  /^(?:LANG|LC_\w+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|TERM|CI|NODE_ENV)$/;

/** Decides by rules, mode and person: deny rules, ask rules, a hook's word, the mode, allow rules, and then the person. */
export function createPermissions(options: PermissionOptions): Permissions {
  const { cwd, folders = [], ask = [], deny = [], askPerson, onAllowed } = options;
  const starts = [cwd, ...(options.copyOf ?? [])];
  const roots = [cwd, ...folders.map((folder) => pathIn(cwd, folder))].map(realPathOf);
  const allow = [...(options.allow ?? [])];
  let { mode } = options;
  let waiting: Promise<unknown> = Promise.resolve();
  let shell: ReadShellLine | undefined;
  let isGitUnsafe: Promise<boolean> | undefined;

  async function accessOf({ name, input }: ToolCall): Promise<Access> {
    const fields = recordOf(input);
    if (name === 'Bash') {
      shell ??= await loadShellReader();
      const text = textOf(fields.command);
      const line = shell(text);
      const commands = line.kind === 'commands' ? line.commands : [];
      return { kind: 'shell', text, line, commands, shownByGit: await rulesOfGit(commands) };
    }
    if (READERS.has(name) || EDITORS.has(name))
      return { kind: READERS.has(name) ? 'read' : 'edit', paths: pathsOf(name, fields, cwd) };
    if (name === 'WebFetch') return { kind: 'fetch', address: textOf(fields.url) };
    return { kind: 'other' };
  }

  /** Rules that forbid or ask for a file which commands of git may show without naming it. */
  async function rulesOfGit(commands: readonly SimpleCommand[]): Promise<ReadonlySet<Rule>> {
    const rules = [...deny, ...ask].filter(
      ({ tool, specifier }) => READERS.has(tool) && specifier !== undefined,
    );
    if (rules.length === 0) return new Set();
    const all = [...formsIn(commands)];
    if (!all.some(({ words }) => showsOthers(words, cwd))) return new Set();
    isGitUnsafe ??= gitRunsPrograms(cwd);
    const isUnknown =
      (await isGitUnsafe) ||
      all.some(({ words }) => addsFiles(words) || /^(?:cd|pushd)$/.test(words[0]?.text ?? '')) ||
      commands.some(leadsGitElsewhere);
    if (isUnknown) return new Set(rules);
    const named = all.flatMap(({ words }) => words.slice(1));
    const known = await Promise.all(
      rules.map((rule) => {
        const globs = starts.flatMap((start) => searchGlob(rule, start) ?? []);
        return knowsFiles(cwd, globs, named);
      }),
    );
    return new Set(rules.filter((_, index) => known[index]));
  }

  /** Commands of a line, without what runs them, and those of scripts within it. */
  function* formsIn(commands: readonly SimpleCommand[], depth = 0): Generator<SimpleCommand> {
    for (const command of commands) {
      const { commands: forms, scripts } = formsOf(command);
      yield* forms;
      if (depth === 3) continue;
      for (const script of scripts) {
        const line = readAgain(script);
        if (line.kind === 'commands') yield* formsIn(line.commands, depth + 1);
      }
    }
  }

  /** How a rule that forbids or asks fits, in whatever form the call is. */
  function forbids(rule: Rule, call: ToolCall, access: Access): Fit {
    const isOwn = forbidsTool(rule, call.name);
    if (access.kind === 'shell') {
      if (rule.tool === 'Bash') {
        const fit = forbidsLine(rule, access);
        const isMeant = fit === 'never' && rule.specifier !== undefined;
        return isMeant && !isHarmless(access) && mentions(access.text, rule.specifier ?? '')
          ? 'maybe'
          : fit;
      }
      if (rule.specifier === undefined) return isOwn ? 'yes' : 'never';
      return READERS.has(rule.tool) || EDITORS.has(rule.tool)
        ? forbidsPaths(rule, access)
        : 'never';
    }
    if (!isOwn) return 'never';
    if (rule.specifier === undefined) return 'yes';
    if (access.kind === 'fetch') return fitsDomain(rule, access.address) ? 'yes' : 'never';
    if (access.kind === 'other') {
      const { skill, subagent_type } = recordOf(call.input);
      return [skill, subagent_type].includes(rule.specifier) ? 'yes' : 'never';
    }
    return access.paths.some((path) => forbidsPath(rule, path)) ? 'yes' : 'never';
  }

  const forbidsPath = (rule: Rule, path: string): boolean =>
    starts.some((start) => forbidsFile(rule, path, start));

  function forbidsLine(
    rule: Rule,
    { text, line }: { text: string; line: ShellLine },
    depth = 0,
  ): Fit {
    if (rule.specifier === undefined || text === rule.specifier) return 'yes';
    if (line.kind === 'unclear') return mentions(text, rule.specifier) ? 'yes' : 'maybe';
    let most: Fit = 'never';
    for (const command of line.commands) {
      const { commands, scripts, isBlind } = formsOf(command);
      const fits = commands.map((form) => fitsCommand(rule, form));
      if (command.words[0]?.isFixed === false || isBlind) fits.push('maybe');
      if (depth < 3)
        for (const script of scripts)
          fits.push(forbidsLine(rule, { text: script, line: readAgain(script) }, depth + 1));
      if (fits.includes('yes')) return 'yes';
      if (fits.includes('maybe')) most = 'maybe';
    }
    return most;
  }

  const readAgain = (text: string): ShellLine => (shell as ReadShellLine)(text);

  /** How a line fits a rule with a path: by the paths that it names, and what it may reach beyond them. */
  function forbidsPaths(rule: Rule, access: Access & { kind: 'shell' }): Fit {
    const { text, line, commands, shownByGit } = access;
    const isEdit = EDITORS.has(rule.tool);
    const bases = basesOf(commands);
    const fits = (path: string): boolean =>
      [...new Set([cwd, ...bases])].some((base) => forbidsPath(rule, pathIn(base, path)));
    const named = commands.flatMap((command) =>
      [cwd, ...bases].flatMap((base) => namedPaths(command, isEdit, base)),
    );
    if (named.some((path) => forbidsPath(rule, path))) return 'yes';
    if (line.kind === 'unclear') return partsOf(text).some(fits) ? 'yes' : 'maybe';
    // What a process has open is another file for each.
    if (bases.length === 0 || /\/proc\/|\/dev\/fd/.test(text)) return 'maybe';
    if (shownByGit.has(rule)) return 'maybe';
    if (isHarmless(access)) return 'never';
    const isUnknown = commands.some(
      ({ words }) =>
        words.some((word) => !word.isFixed && !isKnownPattern(word, bases)) ||
        (!isEdit && readsFolders(words)),
    );
    return isUnknown || partsOf(text).some(fits) ? 'maybe' : 'never';
  }

  /** Whether all of a line only reads, and what its words name. */
  function isHarmless({ line, commands }: Access & { kind: 'shell' }): boolean {
    const bases = basesOf(commands);
    const isFile: MayRead = (path, what) =>
      what === 'names' || !bases.some((base) => isFolder(pathIn(base, path)));
    return (
      line.kind === 'commands' && commands.every((command) => isReader(command, commands, isFile))
    );
  }

  /** For commands, of which some read all of a folder. */
  const mayReadFrom =
    (bases: readonly string[]): MayRead =>
    (path, what, kind = 'path') => {
      const mayReadAt = (full: string) =>
        whyNotRead(full, what) === undefined && !(what === 'contents' && isFolder(full));
      return (
        bases.length > 0 &&
        bases.every((base) => {
          const full = pathIn(base, path);
          return kind === 'path' ? mayReadAt(full) : (filesOf(full)?.every(mayReadAt) ?? false);
        })
      );
    };

  function whyNotRead(path: string, what: 'contents' | 'names' = 'contents'): string | undefined {
    const real = realPathOf(path);
    if (!roots.some((root) => isWithin(root, real)))
      return `${shown(path)} is outside of the folder`;
    if (what === 'contents' && (isSecret(path) || isSecret(real)))
      return `${shown(path)} may hold keys`;
    return undefined;
  }

  function whyNotEdit(path: string): string | undefined {
    const real = realPathOf(path);
    const isOwn = roots.some(
      (root) => isWithin(root, real) && !isControl(`/${relative(root, real)}`),
    );
    return (
      whyNotRead(path) ?? (isOwn ? undefined : `${shown(path)} changes what programs do later`)
    );
  }

  /** Folders in which the commands of a line may run; none where that is not certain. */
  function basesOf(commands: readonly SimpleCommand[]): string[] {
    const bases = [cwd];
    for (const { words, isRepeated } of commands) {
      const [name, ...rest] = words;
      if (!/^(?:cd|pushd|popd)$/.test(name?.text ?? '')) continue;
      const target = rest.find(({ text }) => !/^-[LP]$/.test(text));
      if (!target?.isFixed || target.text === '-' || isRepeated || bases.length > 8) return [];
      bases.push(...bases.map((base) => pathIn(base, target.text)));
    }
    return bases;
  }

  async function readersOf({
    commands,
    line,
  }: Access & { kind: 'shell' }): Promise<Set<SimpleCommand>> {
    if (line.kind === 'unclear') return new Set();
    if (usesGit(commands)) {
      isGitUnsafe ??= gitRunsPrograms(cwd);
      if (await isGitUnsafe) return new Set();
    }
    const mayRead = mayReadFrom(basesOf(commands));
    return new Set(commands.filter((command) => isReader(command, commands, mayRead)));
  }

  const allowedPath = (name: string, path: string): boolean =>
    allow.some(
      (rule) =>
        isAbout(rule, name) &&
        rule.specifier !== undefined &&
        fitsPath(rule, realPathOf(path), realPathOf(cwd)),
    );

  /** By a rule for editing. What changes how programs run later, only one that says so allows. */
  const allowedEdit = (name: string, path: string): boolean => {
    const way = (full: string) => `/${relative(realPathOf(cwd), full)}`;
    const isAtRisk = isControl(way(realPathOf(path)));
    return allow.some(
      (rule) =>
        isAbout(rule, name) &&
        rule.specifier !== undefined &&
        (!isAtRisk || isControl(rule.specifier)) &&
        fitsPath(rule, realPathOf(path), realPathOf(cwd)),
    );
  };

  /** What would have to be asked, by allow rules and mode. */
  async function missingOf(call: ToolCall, access: Access): Promise<Missing | undefined> {
    const whole = allow.some((rule) => rule.specifier === undefined && isAbout(rule, call.name));
    switch (access.kind) {
      case 'shell':
        return whole ? undefined : missingOfLine(access);
      case 'read': {
        const path = access.paths.find(
          (each) => whyNotRead(each) !== undefined && !allowedPath(call.name, each),
        );
        if (path === undefined) return undefined;
        return { reason: whyNotRead(path) ?? '', rules: offersOfPath('Read', path) };
      }
      case 'edit': {
        const path = access.paths.find((each) => !mayEdit(call.name, each, whole));
        if (path === undefined) return undefined;
        const reason = whyNotEdit(path) ?? `${call.name} changes ${shown(path)}`;
        return { reason, rules: offersOfPath('Edit', path) };
      }
      case 'fetch':
        return whole || names(access.address) ? undefined : missingOfFetch(access.address);
      case 'other':
        if (call.name === PLAN_TOOL && !whole)
          return mode === 'plan' ? { reason: 'a person approves a plan', rules: [] } : undefined;
        if (whole || (call.reads && call.risk === undefined && !call.name.startsWith('mcp__')))
          return undefined;
        return { reason: `${call.name} needs permission`, rules: offersOfTool(call.name) };
    }
  }

  const names = (address: string): boolean =>
    allow.some(
      (rule) =>
        rule.tool === 'WebFetch' &&
        rule.specifier !== undefined &&
        !/^domain:\*$/.test(rule.specifier) &&
        fitsDomain(rule, address),
    );

  function missingOfFetch(address: string): Missing {
    const host = hostOf(address);
    const isOwn = isOwnHost(address);
    const where = isOwn ? ', which is of the own machine or network' : '';
    return {
      reason: `WebFetch goes to ${shown(host)}${where}`,
      rules: [`WebFetch(domain:${host})`],
    };
  }

  function mayEdit(name: string, path: string, whole: boolean): boolean {
    if (allowedEdit(name, path)) return true;
    return (whole || mode === 'acceptEdits') && whyNotEdit(path) === undefined;
  }

  async function missingOfLine(access: Access & { kind: 'shell' }): Promise<Missing | undefined> {
    const rules = allow.filter(({ tool }) => tool === 'Bash');
    const { text, line, commands } = access;
    if (rules.some(({ specifier }) => specifier === text)) return undefined;
    if (line.kind === 'unclear')
      return {
        reason: `Bash runs a command that is not looked through: ${line.reason}`,
        rules: [],
      };
    const readers = await readersOf(access);
    const bases = basesOf(commands);
    const missing = commands.filter((command) => {
      if (readers.has(command)) return false;
      const plain = { ...command, words: withoutTimers(command.words) };
      const isRuled =
        command.words.length > 0 && rules.some((rule) => fitsCommand(rule, plain) === 'yes');
      return (
        !isRuled ||
        !command.assigned.every((name) => HARMLESS_VARIABLES.test(name)) ||
        !mayRedirect(command, bases)
      );
    });
    const [first] = missing;
    if (first === undefined) return undefined;
    const said = missing.map((command) => shown(wholeOf(command))).join('; ');
    return { reason: `Bash runs ${said}`, rules: offersOfCommand(first) };
  }

  const mayRedirect = ({ redirects }: SimpleCommand, bases: readonly string[]): boolean =>
    redirects.every(({ operator, target: { text, isFixed } }) => {
      if (!isFixed || bases.length === 0) return false;
      if (text === '/dev/null' || (/^[<>]&$/.test(operator) && /^\d+$/.test(text))) return true;
      const paths = bases.map((base) => pathIn(base, text));
      if (operator === '<')
        return paths.every((path) => whyNotRead(path) === undefined || allowedPath('Read', path));
      return paths.every((path) => mayEdit('Edit', path, false));
    });

  const offersOfPath = (tool: string, path: string): string[] => {
    const real = realPathOf(path);
    const way = relative(realPathOf(cwd), real);
    if (way === '' || way.startsWith('..') || isAbsolute(way))
      return [`${tool}(/${real})`, `${tool}(/${dirname(real)}/**)`];
    const folder = dirname(way);
    return [`${tool}(./${way})`, `${tool}(./${folder === '.' ? '' : `${folder}/`}**)`];
  };

  async function decideNow(call: ToolCall, given: DecideOptions): Promise<Decision> {
    const { hook, signal, askHooks, agent } = given;
    const access = await accessOf(call);
    const denied = denyReason(call, access);
    if (denied !== undefined) return { kind: 'refused', reason: denied, by: 'rule' };
    const mustAsk = ask.find((rule) => forbids(rule, call, access) !== 'never');
    const mayBeDenied = deny.find((rule) => forbids(rule, call, access) === 'maybe');
    const isReading = await readsOf(call, access);
    const mayChange = call.risk !== undefined || call.name.startsWith('mcp__');
    if (mode === 'plan' && !isReading && mayChange)
      return {
        kind: 'refused',
        reason: `${call.name} is not run while the work is only planned. Read, and say what you would do.`,
        by: 'mode',
      };
    const missing: Missing | undefined =
      mustAsk !== undefined
        ? { reason: `the rule ${mustAsk.text} has it asked`, rules: [] }
        : mayBeDenied !== undefined
          ? {
              reason: `what it runs is not certain, and may be what ${mayBeDenied.text} forbids`,
              rules: [],
            }
          : hook === 'ask'
            ? { reason: 'a hook has it asked', rules: [] }
            : access.kind === 'fetch' && isOwnHost(access.address) && !names(access.address)
              ? missingOfFetch(access.address) // no mode and no wide rule means it
              : hook === 'allow' || mode === 'bypassPermissions'
                ? undefined
                : await missingOf(call, access);
    if (missing === undefined) {
      const by = hook === 'allow' ? 'hook' : mode === 'bypassPermissions' ? 'mode' : 'rule';
      return { kind: 'allowed', by };
    }
    const byHook = await askHooks?.(call, signal);
    // What a rule may forbid, only a person lets through.
    const said = mayBeDenied !== undefined && byHook?.kind !== 'no' ? undefined : byHook;
    if (said === undefined && (mode === 'dontAsk' || askPerson === undefined))
      return { kind: 'refused', reason: unasked(call, missing), by: 'nobody' };
    const answer = said ?? (await (askPerson as Ask)({ call, ...missing, agent }, signal));
    const by = said === undefined ? 'person' : 'hook';
    if (answer.kind === 'no') return { kind: 'refused', reason: answer.reason, by };
    if (answer.kind === 'once') return { kind: 'allowed', by };
    const read = readRule(answer.rule, cwd);
    if (read.kind === 'rule') allow.push(read.rule);
    await onAllowed?.(answer);
    // What the rule does not allow of the line is asked next.
    const rest = await missingOf(call, access);
    if (rest === undefined || rest.reason === missing.reason) return { kind: 'allowed', by };
    return decideNow(call, given);
  }

  function denyReason(call: ToolCall, access: Access): string | undefined {
    const rule = deny.find((each) => forbids(each, call, access) === 'yes');
    return rule === undefined
      ? undefined
      : `${call.name} is forbidden here by the rule ${rule.text}.`;
  }

  const unasked = ({ name }: ToolCall, { reason }: Missing): string =>
    mode === 'dontAsk'
      ? `${name} needs permission, and is refused without asking: ${reason}. A rule in \`permissions.allow\` would allow it.`
      : `${name} needs permission, and nobody can be asked here: ${reason}. A rule in \`permissions.allow\` or --permission-mode would allow it.`;

  async function readsOf(call: ToolCall, access: Access): Promise<boolean> {
    if (access.kind !== 'shell') return call.reads;
    const { line, commands } = access;
    return (
      line.kind === 'commands' &&
      commands.length > 0 &&
      (await readersOf(access)).size === commands.length
    );
  }

  return {
    names,
    denied: async (call) =>
      deny.length === 0 ? undefined : denyReason(call, await accessOf(call)),
    reads: async (call) =>
      call.name === 'Bash' ? readsOf(call, await accessOf(call)) : call.reads,
    decide(call, given) {
      // One question after the other: an answer may allow what the next call wants.
      const decided = waiting.then(() => decideNow(call, given));
      waiting = decided.catch(() => undefined);
      return decided;
    },
    get mode() {
      return mode;
    },
    setMode: (next) => {
      mode = next;
    },
  };
}

/** Files that a call of a tool is about. */
function pathsOf(name: string, fields: Readonly<Record<string, unknown>>, cwd: string): string[] {
  const given =
    textOf(fields.file_path) || textOf(fields.notebook_path) || textOf(fields.path) || '.';
  const path = pathIn(cwd, given);
  const pattern = name === 'Glob' ? textOf(fields.pattern) : '';
  const fixed = pattern.slice(0, pattern.search(/[*?[{]|$/));
  const leads = isAbsolute(fixed) || /^~|\.\./.test(pattern);
  if (!leads) return [path];
  // What a pattern leads up to is beyond what stands before its first sign.
  const ups = /\.\./.test(pattern.slice(fixed.length)) ? ['/'] : [];
  return [path, pathIn(path, fixed === '' ? '.' : fixed), ...ups];
}

/** Files that a command names, as far as its words say. */
function namedPaths({ words, redirects }: SimpleCommand, isEdit: boolean, base: string): string[] {
  const targets = redirects.filter(({ operator }) => operator.includes(isEdit ? '>' : '<'));
  return [...words.slice(1), ...targets.map(({ target }) => target)].flatMap(
    ({ text, isPattern }) => {
      const texts = [text, text.slice(text.indexOf('=') + 1), text.replace(/^-\w/, '')];
      const paths = [...texts, ...pathsOfRevision(text)].filter((each) => each !== '');
      const full = [...new Set(paths)].map((path) => pathIn(base, path));
      return isPattern ? full.flatMap((path) => [path, ...(filesOf(path) ?? [])]) : full;
    },
  );
}

const isKnownPattern = ({ text, isPattern }: Word, bases: readonly string[]): boolean =>
  isPattern && bases.every((base) => filesOf(pathIn(base, text)) !== undefined);

/** The pieces of a text that may be words or paths, wherever a program finds them in it. */
const partsOf = (text: string): string[] =>
  text.split(/[\s"'`;&|(){}$<>\\=,:@[\]]+/).filter((part) => part !== '');

function withoutColonAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[:\s]/.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** Whether the words at the beginning of a rule stand somewhere in a text, in this order and beside each other. */
function mentions(text: string, specifier: string): boolean {
  const [start = '', ...others] = specifier.split('*').map(withoutColonAtEnd);
  const longest = others.map((piece) => piece.trimStart()).sort((a, b) => b.length - a.length)[0];
  if (start === '') return text.includes(longest ?? '');
  const words = partsOf(start);
  const all = partsOf(text);
  return all.some((_, at) =>
    words.every((word, index) => all[at + index] === word || all[at + index]?.endsWith(`/${word}`)),
  );
}

/** Whether an option has git look into another folder than the one it runs in. */
const leadsGitElsewhere = (command: SimpleCommand): boolean =>
  usesGit([command]) &&
  command.words.some(
    ({ text, isFixed }) => !isFixed || /^(?:-C|--git-dir|--work-tree|--no-index)/.test(text),
  );

/** A command with what it reads from and writes to. */
const wholeOf = ({ text, redirects }: SimpleCommand): string =>
  [text, ...redirects.map(({ operator, target }) => `${operator} ${target.text}`)].join(' ');

function offersOfCommand({ words, redirects, text }: SimpleCommand): string[] {
  const [name, second] = withoutTimers(words);
  if (name === undefined || !name.isFixed || redirects.length > 0) return [];
  if (isRunner(name.text)) return text.includes('*') ? [] : [`Bash(${text})`];
  const isSub = second?.isFixed === true && /^[a-z][\w:-]*$/.test(second.text);
  const isPlain = words.length === (isSub ? 2 : 1) || text.includes('*');
  const exact = isPlain ? [] : [`Bash(${words.map((word) => word.text).join(' ')})`];
  const all = `Bash(${name.text}:*)`;
  if (!isSub) return [...exact, all];
  const sub = `Bash(${name.text} ${second.text}:*)`;
  // what may run any program is offered as it is first
  return RUNS.test(second.text) ? [...exact, sub, all] : [sub, all, ...exact];
}

/** Words behind a program with which it runs another one, or a script of the project. */
const RUNS = /^(?:run|run-script|exec|dlx|x|tool)$/;

/** The tool, and of an MCP tool all of its server. */
function offersOfTool(name: string): string[] {
  const [, server] = /^(mcp__.+?)__/.exec(name) ?? [];
  return server === undefined ? [name] : [name, `${server}__*`];
}

/** Whether an address is written as one of the own machine or network. */
function isOwnHost(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const reach = reachOf(new URL(address));
  return reach === 'own' || reach === 'keys';
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
