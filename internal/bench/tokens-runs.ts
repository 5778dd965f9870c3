import { type ExactCounter, loadExactCounter } from '@varve/tokens/exact';
import type { BenchRow } from './bench-row.ts';
import { createCorpus } from './corpus.ts';
import { medianOf, millisecondsOf } from './timing.ts';

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
  const peer = medianOf(rounds(LONG_ROUNDS, () => counter.count(code)));
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

function rowsOf(name: string, { unit, peer, counter }: RunOptions): BenchRow[] {
  const ofBytes = (bytes: number) => {
    const repeats = Math.floor(bytes / Buffer.byteLength(unit));
    return repeats > 0 ? unit.repeat(repeats) : unit.slice(0, bytes);
  };
  const short = ofBytes(SHORT);
  const long = ofBytes(LONG);
  counter.count(short);
  const shortTime = medianOf(rounds(SHORT_ROUNDS, () => counter.count(short)));
  const ours = medianOf(rounds(LONG_ROUNDS, () => counter.count(long)));
  const exponent = Math.log10(ours / shortTime) / Math.log10(LONG / SHORT);
  return [
    {
      id: `G5 ${name}`,
      what: '1 MB of one run, against 1 MB of code',
      ours,
      peer,
      unit: 'ms',
      ratio: ours / peer,
      goal: `≤ ${LARGEST_RATIO} ×`,
      met: ours / peer <= LARGEST_RATIO,
    },
    {
      id: `G5 ${name} growth`,
      what: 'exponent of the time from 100 KB to 1 MB; the ratio is the exponent',
      ours,
      peer: shortTime,
      unit: 'ms',
      ratio: exponent,
      goal: `≤ ${LARGEST_EXPONENT}`,
      met: exponent <= LARGEST_EXPONENT,
    },
  ];
}

const rounds = (count: number, work: () => unknown): number[] =>
  Array.from({ length: count }, () => millisecondsOf(work));
