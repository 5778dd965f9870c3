import { createMemdir, inMemoryFolder, type Memdir } from '@varve/memdir';
import { randomFrom } from '../random.ts';
import type { HandTurn, RealFolder } from './real-folders.ts';
import { shareOf } from './score.ts';
import { bodyOf } from './statements.ts';

type RecallOptions = NonNullable<Parameters<Memdir['startRecall']>[0]>;

/** What recall finds of what it should, over queries of one kind. */
export interface RecallRow {
  readonly id: 'line' | 'words' | 'description' | 'direct' | 'oblique';
  readonly queries: number;
  /** Share of the targets among the first five, mean over queries. */
  readonly recall: number;
  /** Mean of 1 / rank of the first target; 0 where it is not among the five. */
  readonly reciprocalRank: number;
  /** The wrong file that stands among the five most often: share of the queries. */
  readonly hub: number;
  /** What five files drawn by lot would have. */
  readonly random: number;
}

/** What is shown of what fits, over turns written by hand. */
export interface ShownRow {
  readonly rule: 'five files' | 'as it ships';
  readonly turns: number;
  readonly recall: number;
  readonly precision: number;
  readonly filesPerTurn: number;
  readonly hub: number;
  /** Turns that fit nothing, and the share of them that are shown nothing. */
  readonly none: number;
  readonly clean: number;
}

export interface RecallTable {
  readonly rows: readonly RecallRow[];
  readonly shown: readonly ShownRow[];
}

const FIVE = 5;
const ALL_FIVE: RecallOptions = { minWords: 0, minShare: 0 };
const NOW_MS = Date.parse('2026-11-30T12:00:00Z');

/** Recall as it ships, without a model, on folders of people. */
export async function measureRecall(
  folders: readonly RealFolder[],
  turns: readonly HandTurn[],
): Promise<RecallTable> {
  const groups = folders.flatMap(groupsOf).filter(({ size }) => size >= LEAST_FILES);
  const found = await Promise.all(groups.map((files, at) => measureGroup(files, `group ${at}`)));
  const rows = (['line', 'words', 'description'] as const).map((id) =>
    rowOf(
      id,
      found.flatMap((each) => each[id]),
    ),
  );
  const opened = new Map(
    folders.map((each) => [each.name, open(new Map([...each.memories, ...each.indexes]))]),
  );
  const sizes = new Map(folders.map(({ name, memories }) => [name, memories.size]));
  const asked = turns.filter(({ folder }) => opened.has(folder));
  const picksFor = async (options: RecallOptions | undefined) => {
    const picks: Pick[] = [];
    for (const { folder, query, targets, kind } of asked) {
      const memory = opened.get(folder) as Memdir;
      const files = await filesFor(memory, query, options);
      picks.push({ folder, kind, targets, files, size: sizes.get(folder) ?? 0 });
    }
    return picks;
  };
  const five = await picksFor(ALL_FIVE);
  const ships = await picksFor(undefined);
  const hand = (['direct', 'oblique'] as const).map((kind) =>
    rowOf(
      kind,
      five.filter((pick) => pick.kind === kind),
    ),
  );
  return {
    rows: [...rows, ...hand].filter(({ queries }) => queries > 0),
    shown: asked.length === 0 ? [] : [shownRow('five files', five), shownRow('as it ships', ships)],
  };
}

/** In smaller folders five files are most of them. */
const LEAST_FILES = 8;

interface Pick {
  readonly folder: string;
  readonly kind?: HandTurn['kind'];
  readonly targets: readonly string[];
  readonly files: readonly string[];
  /** Files to choose from. */
  readonly size: number;
}

const open = (files: ReadonlyMap<string, string>): Memdir =>
  createMemdir({ folder: inMemoryFolder(Object.fromEntries(files)), now: () => NOW_MS });

async function filesFor(memory: Memdir, query: string, options: RecallOptions | undefined) {
  const result = await memory.startRecall(options).recall(query);
  return result.kind === 'recalled' ? result.memories.map(({ path }) => path) : [];
}

/** Files that are searched together: those of each agent by themselves, where a folder holds several. */
function groupsOf({ memories, indexes }: RealFolder): readonly ReadonlyMap<string, string>[] {
  const isOfAgents =
    !indexes.has('MEMORY.md') && [...indexes.keys()].some((path) => path.includes('/'));
  if (!isOfAgents) return [memories];
  const groups = new Map<string, Map<string, string>>();
  for (const [path, text] of memories) {
    const agent = path.split('/')[0] as string;
    const group = groups.get(agent) ?? new Map();
    groups.set(agent, group.set(path, text));
  }
  return [...groups.values()];
}

/** Each file is looked for by a line that was taken out of it, by four words of that line, and by its description. */
async function measureGroup(files: ReadonlyMap<string, string>, folder: string) {
  const random = randomFrom(files.size);
  const found = { line: [] as Pick[], words: [] as Pick[], description: [] as Pick[] };
  const size = files.size;
  const bare = open(new Map([...files.values()].map((text, at) => [`m${at}.md`, bodyOf(text)])));
  for (const [at, [path, text]] of [...files].entries()) {
    const pick = async (memory: Memdir, query: string, target = path) => ({
      ...{ folder, targets: [target], size },
      files: await filesFor(memory, query, ALL_FIVE),
    });
    const description = /^description:[ \t]*["']?(.+?)["']?[ \t]*\r?$/m.exec(text)?.[1];
    if (description !== undefined && contentWords(bodyOf(text)).length >= LEAST_WORDS)
      found.description.push(await pick(bare, description, `m${at}.md`));
    const lines = bodyOf(text).split(/\r?\n/).filter(isTelling);
    if (lines.length < 2) continue;
    const line = drawn(lines, random);
    const rest = new Map(files).set(
      path,
      text
        .split('\n')
        .filter((each) => !each.includes(line.trim()))
        .join('\n'),
    );
    const memory = open(rest);
    found.line.push(await pick(memory, line));
    const words = contentWords(line);
    const four = Array.from({ length: 4 }, () =>
      words.splice(Math.floor(random() * words.length), 1),
    );
    found.words.push(await pick(memory, four.flat().join(' ')));
  }
  return found;
}

const LEAST_WORDS = 8;
const isTelling = (line: string): boolean =>
  !/^\s*[|`#]/.test(line) && contentWords(line).length >= LEAST_WORDS;

const drawn = <Value>(values: readonly Value[], random: () => number): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** Different words that are not all but everywhere. */
const contentWords = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].filter(
    (word) => !COMMON.has(word),
  );

const COMMON = new Set(
  [
    'the and for with that this from are was not but you all can has have its into when then than',
  ].flatMap((words) => words.split(' ')),
);

function rowOf(id: RecallRow['id'], picks: readonly Pick[]): RecallRow {
  return {
    ...{ id, queries: picks.length },
    recall: mean(picks.map(recallOf)),
    reciprocalRank: mean(
      picks.map(({ files, targets }) => {
        const at = files.findIndex((file) => targets.includes(file));
        return at === -1 ? 0 : 1 / (at + 1);
      }),
    ),
    hub: hubOf(picks),
    random: mean(picks.map(({ size }) => Math.min(1, FIVE / size))),
  };
}

function shownRow(rule: ShownRow['rule'], picks: readonly Pick[]): ShownRow {
  const fitting = picks.filter(({ kind }) => kind !== 'none');
  const none = picks.filter(({ kind }) => kind === 'none');
  const files = sum(fitting.map((pick) => pick.files.length));
  const hits = sum(fitting.map((pick) => hitsOf(pick)));
  const kinds = (['direct', 'oblique'] as const).map((kind) =>
    hubOf(fitting.filter((pick) => pick.kind === kind)),
  );
  return {
    ...{ rule, turns: fitting.length },
    recall: mean(fitting.map(recallOf)),
    precision: shareOf(hits, files, 0),
    filesPerTurn: shareOf(files, fitting.length, 0),
    hub: Math.max(...kinds),
    none: none.length,
    clean: shareOf(none.filter((pick) => pick.files.length === 0).length, none.length, 1),
  };
}

const hitsOf = ({ files, targets }: Pick): number =>
  files.filter((file) => targets.includes(file)).length;

const recallOf = (pick: Pick): number => hitsOf(pick) / Math.min(FIVE, pick.targets.length);

function hubOf(picks: readonly Pick[]): number {
  const counts = new Map<string, number>();
  for (const { folder, files, targets } of picks) {
    for (const file of files.filter((each) => !targets.includes(each))) {
      const key = `${folder} ${file}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return shareOf(Math.max(0, ...counts.values()), picks.length, 0);
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => shareOf(sum(values), values.length, 0);
