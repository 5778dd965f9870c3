import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemdir, type Memdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import { type BenchRow, toRow } from './bench-row.ts';
import { medianOf, millisecondsWorked } from './timing.ts';

const ROUNDS = 5;
/** Real folders have a mean of 3.5 KB a file, and a median of 2.2 KB. */
const FILE_WORDS = 500;
const GOALS = { cold: 20, warm: 5 } as const;

/** D5: recall over a folder on disk, read for the first time and again; 2,000 files for how it grows. */
export async function run(): Promise<BenchRow[]> {
  const base = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  try {
    const small = await measure(makeFolder(base, 200));
    const large = await measure(makeFolder(base, 2_000));
    return [
      toGoalRow('cold', small.cold),
      toGoalRow('warm', small.warm),
      toGrowthRow('cold', large.cold, small.cold),
      toGrowthRow('warm', large.warm, small.warm),
    ];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** What the thread works, so that other programs count little. */
async function measure(folder: string) {
  const open = () => createMemdir({ folder: diskFolder(folder), now: Date.now });
  const known = open();
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    cold.push(await millisecondsWorked(() => recall(open())));
    warm.push(await millisecondsWorked(() => recall(known)));
  }
  return { cold: medianOf(cold), warm: medianOf(warm) };
}

/** A turn of a session of its own, so that nothing was shown before. */
async function recall(memory: Memdir): Promise<void> {
  const result = await memory.startRecall().recall('Which word17 of the word903 is in subject12?');
  if (result.kind !== 'recalled') throw new Error('nothing was recalled');
}

/** Text of common and rare words, with the dashes and marks that real files have. */
function makeFolder(base: string, files: number): string {
  const folder = join(base, String(files));
  mkdirSync(folder);
  let state = 7;
  const draw = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    return state / 0x80000000;
  };
  for (let at = 0; at < files; at++) {
    const words = Array.from(
      { length: FILE_WORDS },
      () => `word${Math.floor(draw() ** 3 * 8_000)}`,
    );
    const lines = words.map((word, place) => (place % 12 === 0 ? `\n- ${word} — ` : `${word} `));
    const header = `---\nname: Subject${at} notes\ndescription: What subject${at} is about\ntype: project\n---\n`;
    writeFileSync(join(folder, `project_subject${at}.md`), `${header}${lines.join('')}\n`);
  }
  return folder;
}

type State = keyof typeof GOALS;
const WORDS: Readonly<Record<State, string>> = {
  cold: 'read for the first time',
  warm: 'read before',
};

/** The goal is in ms, for a machine that does nothing else. */
function toGoalRow(state: State, ours: number): BenchRow {
  const peer = GOALS[state];
  const what = `recall by words over 200 files on disk, ${WORDS[state]}, against the goal`;
  const goal = `≤ ${peer} ms`;
  return {
    id: `D5 ${state} 200`,
    what,
    ours,
    peer,
    unit: 'ms',
    ratio: ours / peer,
    goal,
    met: ours <= peer,
  };
}

/** Ten times the files, against ten times the work. */
function toGrowthRow(state: State, ours: number, ofSmall: number): BenchRow {
  const what = `the same over 2,000 files, ${WORDS[state]}, against ten times the work of 200`;
  return toRow(`D5 ${state} 2000`, { what, ours, peer: ofSmall * 10, limit: 1.5 });
}
