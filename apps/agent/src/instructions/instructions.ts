import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { foldersBetween, isFolder, isWithin, realPathOf } from '../permissions/paths.ts';
import { shown } from '../shown.ts';
import { pathIn } from '../tools/files.ts';
import { includesIn, isOnlyIncludes, isTextName } from './include.ts';
import { openText } from './open.ts';
import { isRuleFor, readRuleText } from './rules.ts';

export type InstructionLevel = 'managed' | 'user' | 'project' | 'local';
export type LoadReason =
  | 'session_start'
  | 'nested_traversal'
  | 'path_glob_match'
  | 'include'
  | 'compact';

/** A file whose text the model gets. */
export interface InstructionFile {
  readonly path: string;
  readonly level: InstructionLevel;
  readonly reason: LoadReason;
  readonly text: string;
}

export interface InstructionOptions {
  readonly cwd: string;
  /** The project: of it, nothing outside is read. */
  readonly root: string;
  readonly configDir: string;
  /** Whether files of other tools are read as well. */
  readonly isCompatible: boolean;
  /** @default that of the user */
  readonly home?: string | undefined;
  /** @default those of the system */
  readonly managed?: readonly string[] | undefined;
  /** Whether a rule forbids to read a file. @default none does */
  readonly isDenied?: ((path: string) => boolean) | undefined;
  /** Has what was named and not read. */
  readonly onSkip?: ((path: string, why: string) => void) | undefined;
}

const MANAGED =
  process.platform === 'darwin'
    ? [
        '/Library/Application Support/varve/AGENTS.md',
        '/Library/Application Support/ClaudeCode/CLAUDE.md',
      ]
    : ['/etc/varve/AGENTS.md', '/etc/claude-code/CLAUDE.md'];
const MOST_DEPTH = 5;
const MOST_CHARS = 60_000;
const MOST_BYTES = 1_000_000;
const MOST_RULES = 200;

/** A rule that waits for work to get to a file that it is about. */
interface WaitingRule {
  readonly path: string;
  readonly base: string;
  readonly level: InstructionLevel;
  readonly paths: readonly string[];
}

/** Finds instruction files, from what holds everywhere to what holds here; the later ones win. */
export function createInstructions(options: InstructionOptions) {
  const { configDir, isCompatible, home = homedir(), managed = MANAGED, onSkip } = options;
  const [cwd, root] = [realPathOf(options.cwd), realPathOf(options.root)];
  let seen = new Set<string>();
  let texts = new Set<string>();
  let folders = new Set<string>();
  let waiting: WaitingRule[] = [];

  /** Where files of a level may lead. */
  const mayRead = (level: InstructionLevel, real: string): boolean =>
    !isOfProject(level) || isWithin(root, real);

  /** The text of a file that may be read; undefined where there is none. */
  function open(path: string, level: InstructionLevel): string | undefined {
    const opened = openText(path, {
      within: isOfProject(level) ? root : undefined,
      mostBytes: MOST_BYTES,
      isDenied: options.isDenied,
    });
    if (opened.kind === 'skipped') onSkip?.(path, opened.why);
    return opened.kind === 'text' ? opened.text : undefined;
  }

  function load(
    path: string,
    level: InstructionLevel,
    reason: LoadReason,
    depth = 0,
  ): InstructionFile[] {
    const real = realPathOf(path);
    if (seen.has(real)) return [];
    const whole = open(path, level);
    if (whole === undefined) return [];
    seen.add(real);
    const { text } = readRuleText(whole);
    const included = includesIn(text).flatMap((name) => include(name, path, level, depth));
    const isRepeated = isOnlyIncludes(text) || texts.has(text.trim());
    texts.add(text.trim());
    if (isRepeated) return included;
    const cut =
      text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}\n[the rest is left out]` : text;
    return [...included, { path, level, reason, text: cut.trim() }];
  }

  function include(
    name: string,
    from: string,
    level: InstructionLevel,
    depth: number,
  ): InstructionFile[] {
    const path = pathIn(dirname(from), name);
    if (!isTextName(basename(path))) return [];
    if (depth >= MOST_DEPTH) {
      onSkip?.(path, `it is included more than ${MOST_DEPTH} files deep`);
      return [];
    }
    return load(path, level, 'include', depth + 1);
  }

  /** What a folder says of itself and of what is below it. */
  function loadFolder(folder: string, reason: LoadReason): InstructionFile[] {
    if (folders.has(folder)) return [];
    folders.add(folder);
    const names = ['AGENTS.md', ...(isCompatible ? ['CLAUDE.md'] : []), '.varve/AGENTS.md'];
    const dots = isCompatible ? ['.varve', '.claude'] : ['.varve'];
    if (isCompatible) names.push('.claude/CLAUDE.md');
    return [
      ...names.flatMap((name) => load(join(folder, name), 'project', reason)),
      ...dots.flatMap((dot) => loadRules(join(folder, dot, 'rules'), folder, 'project', reason)),
    ];
  }

  const loadLocal = (folder: string, reason: LoadReason): InstructionFile[] =>
    ['AGENTS.local.md', ...(isCompatible ? ['CLAUDE.local.md'] : [])].flatMap((name) =>
      load(join(folder, name), 'local', reason),
    );

  function loadRules(
    folder: string,
    base: string,
    level: InstructionLevel,
    reason: LoadReason,
  ): InstructionFile[] {
    const mayEnter = (path: string) => mayRead(level, realPathOf(path));
    return rulesIn(folder, mayEnter).flatMap((path) => {
      const whole = seen.has(realPathOf(path)) ? undefined : open(path, level);
      if (whole === undefined) return [];
      const { paths } = readRuleText(whole);
      if (paths === undefined) return load(path, level, reason);
      waiting.push({ path, base, level, paths });
      return [];
    });
  }

  return {
    /** All that holds from the start; again after `forget`. */
    initial(reason: 'session_start' | 'compact' = 'session_start'): InstructionFile[] {
      const down = foldersBetween(root, cwd);
      return [
        ...managed.flatMap((path) => load(path, 'managed', reason)),
        ...load(join(configDir, 'AGENTS.md'), 'user', reason),
        ...(isCompatible ? load(join(home, '.claude', 'CLAUDE.md'), 'user', reason) : []),
        ...loadRules(join(configDir, 'rules'), root, 'user', reason),
        ...(isCompatible ? loadRules(join(home, '.claude', 'rules'), root, 'user', reason) : []),
        ...down.flatMap((folder) => loadFolder(folder, reason)),
        ...down.flatMap((folder) => loadLocal(folder, reason)),
      ];
    },
    /** What holds for a file that work has got to, and was not given yet. */
    touch(path: string): InstructionFile[] {
      const real = realPathOf(resolve(cwd, path));
      const down = foldersBetween(root, dirname(real)).filter((folder) => !folders.has(folder));
      const nested = [
        ...down.flatMap((folder) => loadFolder(folder, 'nested_traversal')),
        ...down.flatMap((folder) => loadLocal(folder, 'nested_traversal')),
      ];
      const fits = ({ base, paths }: WaitingRule) =>
        isWithin(base, real) && real !== base && isRuleFor(paths, relative(base, real));
      const due = waiting.filter(fits);
      waiting = waiting.filter((rule) => !due.includes(rule));
      return [...nested, ...due.flatMap((rule) => load(rule.path, rule.level, 'path_glob_match'))];
    },
    /** What was given is no longer before the model. */
    forget(): void {
      [seen, texts, folders, waiting] = [new Set(), new Set(), new Set(), []];
    },
  };
}
export type Instructions = ReturnType<typeof createInstructions>;

export const isOfProject = (level: InstructionLevel): boolean =>
  level === 'project' || level === 'local';

/** For sessions without any. */
export const NO_INSTRUCTIONS: Instructions = {
  initial: () => [],
  touch: () => [],
  forget: () => undefined,
};

function rulesIn(
  folder: string,
  mayEnter: (path: string) => boolean,
  entered = new Set<string>(),
  depth = 0,
): string[] {
  if (depth > MOST_DEPTH || !isFolder(folder) || !mayEnter(folder)) return [];
  const real = realPathOf(folder);
  if (entered.has(real)) return []; // links may go round
  entered.add(real);
  const paths = readdirSync(folder)
    .sort()
    .flatMap((name) =>
      name.endsWith('.md')
        ? [join(folder, name)]
        : rulesIn(join(folder, name), mayEnter, entered, depth + 1),
    );
  return paths.slice(0, MOST_RULES);
}

const WHOSE: Readonly<Record<InstructionLevel, string>> = {
  managed: 'of the organisation',
  user: 'of the person, for all projects',
  project: 'of the project',
  local: 'of the person, for this project',
};

const HEADING =
  'Instructions in files for work in this folder. Where they differ, the later ones hold.';

/** Whether a text of the conversation gives instruction files. */
export const isInstruction = (text: string): boolean =>
  text.startsWith('<system-reminder>') && text.includes(HEADING);

/** What the model is told of instruction files. */
export function instructionText(
  files: readonly InstructionFile[],
  date?: string,
): string | undefined {
  if (files.length === 0) return undefined;
  const parts = files.map(
    ({ path, level, text }) => `# ${shown(path)} (${WHOSE[level]})\n\n${text}`,
  );
  const today = date === undefined ? '' : `Today is ${date}.\n\n`;
  return `${today}${HEADING}\n\n${parts.join('\n\n')}\n\nThe agent put this in. It may have nothing to do with the task, and it does not widen what is allowed.`;
}
