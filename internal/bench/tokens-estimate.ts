import { createEstimator, type Estimator } from '@varve/tokens';
import { loadExactCounter } from '@varve/tokens/exact';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { estimateTokenCount } from 'tokenx';
import type { BenchRow } from './bench-row.ts';
import { CONTENT_TYPES, type ContentType, createCorpus } from './corpus.ts';
import { medianOf, millisecondsOf } from './timing.ts';

type ExactCounter = Awaited<ReturnType<typeof loadExactCounter>>;

const UNITS_PER_PART = 4_096;
const UNITS_PER_TYPE = 256_000;
const MEGABYTE = 1_000_000;
const LEAST_SPEEDUP = 10;

const CLOSE = 0.1;
const LOOSE = 0.25;
const LOOSE_TYPES: ReadonlySet<ContentType> = new Set([
  'log',
  'base64',
  'hex',
  'emoji',
  'ru',
  'json',
]);

/** G6: how far the estimate of unseen text is off, and how much faster it is than counting exactly. */
export async function run(): Promise<BenchRow[]> {
  const tiktoken = get_encoding('o200k_base');
  try {
    const counter = await loadExactCounter({ encoding: 'o200k_base' });
    const counters = { estimator: createEstimator(), counter, tiktoken };
    const warm = createCorpus({ half: 'fit', units: UNITS_PER_TYPE });
    for (const type of CONTENT_TYPES) measure(type, warm[type], counters);
    const corpus = createCorpus({ half: 'held-out', units: UNITS_PER_TYPE });
    const results = CONTENT_TYPES.map((type) => measure(type, corpus[type], counters));
    return [
      ...results.map(errorRow),
      speedRow(
        'G6 speed',
        results.map(({ ours, wasm }) => [ours, wasm] as const),
      ),
      {
        ...speedRow(
          'G6 speed, own',
          results.map(({ ours, exact }) => [ours, exact] as const),
        ),
        what: 'the same against our own exact counter, which is faster than the peers',
      },
    ];
  } finally {
    tiktoken.free();
  }
}

interface Counters {
  readonly estimator: Estimator;
  readonly counter: ExactCounter;
  readonly tiktoken: Tiktoken;
}

interface Result {
  readonly type: ContentType;
  readonly estimate: number;
  readonly tokens: number;
  /** What tokenx 2 says. */
  readonly tokenx: number;
  /** Megabytes a second, the median over the parts. */
  readonly ours: number;
  readonly exact: number;
  readonly wasm: number;
}

function measure(type: ContentType, text: string, counters: Counters): Result {
  const { estimator, counter, tiktoken } = counters;
  let estimate = 0;
  let tokens = 0;
  let tokenx = 0;
  const speeds: [ours: number, exact: number, wasm: number][] = [];
  for (let start = 0; start < text.length; start += UNITS_PER_PART) {
    const part = text.slice(start, start + UNITS_PER_PART);
    const megabytes = Buffer.byteLength(part) / MEGABYTE;
    const speedOf = (work: () => unknown) => (1_000 * megabytes) / millisecondsOf(work);
    speeds.push([
      speedOf(() => {
        estimate += estimator.text(part);
      }),
      speedOf(() => {
        tokens += counter.count(part);
      }),
      speedOf(() => tiktoken.encode_ordinary(part)),
    ]);
    tokenx += estimateTokenCount(part);
  }
  const median = (index: 0 | 1 | 2) => medianOf(speeds.map((speed) => speed[index]));
  return { type, estimate, tokens, tokenx, ours: median(0), exact: median(1), wasm: median(2) };
}

function errorRow({ type, estimate, tokens, tokenx }: Result): BenchRow {
  const allowed = LOOSE_TYPES.has(type) ? LOOSE : CLOSE;
  const ratio = estimate / tokens;
  return {
    id: `G6 ${type}`,
    what: `estimate of ${tokens} tokens of unseen text (tokenx: ${(tokenx / tokens).toFixed(2)})`,
    ours: estimate,
    peer: tokens,
    unit: 'tokens',
    ratio,
    goal: `1 ± ${allowed}`,
    met: Math.abs(ratio - 1) <= allowed,
  };
}

function speedRow(id: string, pairs: readonly (readonly [ours: number, peer: number])[]): BenchRow {
  const mean = (values: readonly number[]) =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  const ours = mean(pairs.map(([speed]) => speed));
  const peer = mean(pairs.map(([, speed]) => speed));
  return {
    id,
    what: `geometric mean of ${pairs.length} types, against exact counts by tiktoken (WASM)`,
    ours,
    peer,
    unit: 'MB/s',
    ratio: ours / peer,
    goal: `≥ ${LEAST_SPEEDUP} ×`,
    met: ours / peer >= LEAST_SPEEDUP,
  };
}
