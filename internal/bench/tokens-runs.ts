import { loadExactCounter } from '@varve/tokens/exact';
import type { BenchRow } from './bench-row.ts';
import { createCorpus } from './corpus.ts';
import { millisecondsOf } from './timing.ts';

type ExactCounter = Awaited<ReturnType<typeof loadExactCounter>>;

const SHORT = 100_000;
const LONG = 1_000_000;
const SHORT_ROUNDS = 15;
const LONG_ROUNDS = 5;
const LARGEST_RATIO = 25;
const LARGEST_EXPONENT = 1.2;

/** G5: runs that make other counters quadratic, against ordinary code of the same length. Every npm peer takes seconds here. */
export async function run(): Promise<BenchRow[]> {
  const counter = await loadExactCounter({ encoding: 'o200k_base' });
  const { code, base64, zh } = createCorpus({ half: 'held-out', units: LONG });
  const warm = createCorpus({ half: 'fit', units: LONG }).code;
  counter.count(warm);
  const peer = least(rounds(LONG_ROUNDS, () => counter.count(code)));
  const runs: readonly (readonly [name: string, unit: string])[] = [
    ['a', 'a'],
    ['space', ' '],
    ['newline', '\n'],
    ['=', '='],
    ['emoji', '😀'],
    ['tab', '\t'],
    ['base64', base64.replaceAll('\n', '')],
    ['ab', 'ab'],
    ['Han', zh.replace(/\P{Script=Han}/gu, '')],
  ];
  return runs.flatMap(([name, unit]) => rowsOf(name, { unit, peer, counter }));
}

interface RunOptions {
  readonly unit: string;
  /** Milliseconds for code of the long length. */
  readonly peer: number;
  readonly counter: ExactCounter;
}

// The goal names these; the others only have to stay below the ratio.
const GROWTH: ReadonlySet<string> = new Set([
  'a',
  'space',
  'newline',
  '=',
  'emoji',
  'tab',
  'base64',
]);

function rowsOf(name: string, { unit, peer, counter }: RunOptions): BenchRow[] {
  const short = ofBytes(unit, SHORT);
  const long = ofBytes(unit, LONG);
  counter.count(short);
  const shortTime = least(rounds(SHORT_ROUNDS, () => counter.count(short)));
  const longTime = least(rounds(LONG_ROUNDS, () => counter.count(long)));
  const row = ratioRow(name, longTime, peer);
  return GROWTH.has(name) ? [row, growthRow(name, longTime, shortTime)] : [row];
}

function ofBytes(unit: string, bytes: number): string {
  const repeats = Math.floor(bytes / Buffer.byteLength(unit));
  return repeats > 0 ? unit.repeat(repeats) : unit.slice(0, bytes);
}

function ratioRow(name: string, ours: number, peer: number): BenchRow {
  const ratio = ours / peer;
  return {
    id: `G5 ${name}`,
    what: '1 MB of one run, against 1 MB of code',
    ours,
    peer,
    unit: 'ms',
    ratio,
    goal: `≤ ${LARGEST_RATIO} ×`,
    met: ratio <= LARGEST_RATIO,
  };
}

function growthRow(name: string, ours: number, peer: number): BenchRow {
  const exponent = Math.log(ours / peer) / Math.log(LONG / SHORT);
  return {
    id: `G5 ${name} growth`,
    what: '1 MB against 100 KB; the ratio is the exponent of the growth',
    ours,
    peer,
    unit: 'ms',
    ratio: exponent,
    goal: `≤ ${LARGEST_EXPONENT}`,
    met: exponent <= LARGEST_EXPONENT,
  };
}

// A measurement is disturbed upwards only.
const least = (values: readonly number[]): number => Math.min(...values);

const rounds = (count: number, work: () => unknown): number[] =>
  Array.from({ length: count }, () => millisecondsOf(work));
