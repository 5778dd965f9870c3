import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { openText } from '../instructions/open.ts';
import { foldersBetween, isFolder, isWithin, realPathOf } from '../permissions/paths.ts';
import { readSkill, type SkillText } from './read-skill.ts';

/** A skill, or a command of a file: a skill that only a person calls. */
export interface Skill extends SkillText {
  readonly path: string;
  readonly kind: 'skill' | 'command';
  readonly level: 'user' | 'project';
}

export interface FindSkillsOptions {
  readonly cwd: string;
  /** The project: of it, nothing outside is read. */
  readonly root: string;
  readonly configDir: string;
  /** Whether files of other tools are read as well. */
  readonly isCompatible: boolean;
  /** @default that of the user */
  readonly home?: string | undefined;
}

export interface FoundSkills {
  /** By name; of two with one name the nearer. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** What was refused or changed, and why. */
  readonly problems: readonly { readonly path: string; readonly why: string }[];
}

const MOST_BYTES = 100_000;
/** Entries of one folder. */
const MOST_ENTRIES = 500;
const MOST_DEPTH = 4;
/** Of the project, and of the person. */
const MOST_SKILLS = 150;

/** Finds skills of the project and of the person. The project's win over the person's, the nearer over the farther, ours over others'. */
export function findSkills(options: FindSkillsOptions): FoundSkills {
  const { configDir, isCompatible, home = homedir() } = options;
  const [cwd, root] = [realPathOf(options.cwd), realPathOf(options.root)];
  const skills = new Map<string, Skill>();
  const problems: { path: string; why: string }[] = [];
  const seen = new Set<string>();
  const seenFolders = new Set<string>();
  const counts = { project: 0, user: 0 };

  function take(path: string, name: string, kind: Skill['kind'], level: Skill['level']): void {
    const real = realPathOf(path);
    if (seen.has(real)) return;
    seen.add(real);
    const within = level === 'project' ? root : undefined;
    const opened = openText(path, { within, mostBytes: MOST_BYTES });
    if (opened.kind === 'none') return;
    const read =
      opened.kind === 'skipped'
        ? ({ kind: 'refused', why: opened.why } as const)
        : readSkill(opened.text, name);
    if (read.kind === 'refused') return void problems.push({ path, why: read.why });
    if (read.problem !== undefined) problems.push({ path, why: read.problem });
    const skill: Skill = { ...read.skill, path, kind, level };
    if (skills.has(skill.name)) return;
    counts[level] += 1;
    if (counts[level] === MOST_SKILLS + 1)
      problems.push({ path, why: `it is one of more than ${MOST_SKILLS}, which are left out` });
    if (counts[level] > MOST_SKILLS) return;
    skills.set(skill.name, kind === 'command' ? { ...skill, isForModel: false } : skill);
  }

  /** Names in a folder; none where it is not there, cannot be read, or leads out of the project. */
  function namesIn(folder: string, level: Skill['level']): readonly string[] {
    const real = realPathOf(folder);
    if (level === 'project' && !isWithin(root, real)) {
      problems.push({ path: folder, why: 'it is outside of the project' });
      return [];
    }
    try {
      const names = readdirSync(real).sort();
      if (names.length > MOST_ENTRIES)
        problems.push({ path: folder, why: `only ${MOST_ENTRIES} of its entries are looked at` });
      return names.slice(0, MOST_ENTRIES);
    } catch {
      return [];
    }
  }

  function takeSkills(folder: string, level: Skill['level']): void {
    for (const name of namesIn(folder, level))
      take(join(folder, name, 'SKILL.md'), name, 'skill', level);
  }

  function takeCommands(folder: string, level: Skill['level'], depth = 0): void {
    const real = realPathOf(folder);
    if (seenFolders.has(real)) return; // links may go round
    seenFolders.add(real);
    for (const name of namesIn(folder, level)) {
      const path = join(folder, name);
      if (name.endsWith('.md')) take(path, basename(name, '.md'), 'command', level);
      else if (depth < MOST_DEPTH && isFolderAt(path)) takeCommands(path, level, depth + 1);
    }
  }

  const ofOthers = isCompatible ? ['.claude'] : [];
  const ofProject = foldersBetween(root, cwd)
    .reverse()
    .flatMap((folder) => ['.varve', '.agents', ...ofOthers].map((dot) => join(folder, dot)));
  const ofPerson = [configDir, ...['.agents', ...ofOthers].map((dot) => join(home, dot))];
  for (const [folders, level] of [
    [ofProject, 'project'],
    [ofPerson, 'user'],
  ] as const) {
    const there = folders.filter(isFolderAt);
    for (const folder of there) takeSkills(join(folder, 'skills'), level);
    for (const folder of there) takeCommands(join(folder, 'commands'), level);
  }
  return { skills, problems };
}

function isFolderAt(path: string): boolean {
  try {
    return isFolder(path);
  } catch {
    return false; // it may not be looked at, or its links go round
  }
}
