import { loadExactCounter } from '@varve/tokens/exact';
import { encode as gptEncode } from 'gpt-tokenizer/encoding/o200k_base';
import { get_encoding, type Tiktoken } from 'tiktoken';
import type { BenchRow } from './bench-row.ts';
import { CONTENT_TYPES, type ContentType, createCorpus } from './corpus.ts';
import { medianOf, millisecondsOf } from './timing.ts';

type ExactCounter = Awaited<ReturnType<typeof loadExactCounter>>;

// A part is counted once, so that no counter profits from having seen it.
const UNITS_PER_PART = 2_048;
const UNITS_PER_TYPE = 128_000;
const MEGABYTE = 1_000_000;

/** G4: exact counts of unseen text, against tiktoken's WebAssembly and gpt-tokenizer, part by part in turn. */
export async function run(): Promise<BenchRow[]> {
  const counter = await loadExactCounter({ encoding: 'o200k_base' });
  const tiktoken = get_encoding('o200k_base');
  try {
    const counters = { counter, tiktoken };
    warmUp(counters);
    const corpus = createCorpus({ half: 'held-out', units: UNITS_PER_TYPE });
    const results = CONTENT_TYPES.map((type) => measure(type, corpus[type], counters));
    return [
      ...results.map(({ type, ours, wasm }) => row(`G4 ${type}`, { ours, peer: wasm, goal: 1 })),
      meanRow(
        'G4 mean',
        results.map(({ ours, wasm }) => [ours, wasm] as const),
      ),
      {
        ...meanRow(
          'G4 gpt-tokenizer',
          results.map(({ ours, js }) => [ours, js] as const),
        ),
        what: 'the same against gpt-tokenizer',
      },
      equalRow(results.map(({ equal, parts }) => [equal, parts] as const)),
    ];
  } finally {
    tiktoken.free();
  }
}

interface Counters {
  readonly counter: ExactCounter;
  readonly tiktoken: Tiktoken;
}

function warmUp({ counter, tiktoken }: Counters): void {
  const corpus = createCorpus({ half: 'fit', units: UNITS_PER_TYPE });
  for (const part of CONTENT_TYPES.flatMap((type) => partsOf(corpus[type]))) {
    counter.count(part);
    tiktoken.encode_ordinary(part);
    gptEncode(part);
  }
}

const partsOf = (text: string): string[] =>
  Array.from({ length: Math.floor(text.length / UNITS_PER_PART) }, (_, index) =>
    text.slice(index * UNITS_PER_PART, (index + 1) * UNITS_PER_PART),
  );

interface Result {
  readonly type: ContentType;
  /** Megabytes a second, the median over the parts. */
  readonly ours: number;
  readonly wasm: number;
  readonly js: number;
  readonly equal: number;
  readonly parts: number;
}

function measure(type: ContentType, text: string, { counter, tiktoken }: Counters): Result {
  const parts = partsOf(text);
  const speeds: [ours: number, wasm: number, js: number][] = [];
  let equal = 0;
  for (const part of parts) {
    const megabytes = Buffer.byteLength(part) / MEGABYTE;
    const speedOf = (work: () => unknown) => (1_000 * megabytes) / millisecondsOf(work);
    let ours = 0;
    let theirs = 0;
    speeds.push([
      speedOf(() => {
        ours = counter.count(part);
      }),
      speedOf(() => {
        theirs = tiktoken.encode_ordinary(part).length;
      }),
      speedOf(() => gptEncode(part)),
    ]);
    if (ours === theirs) equal++;
  }
  const median = (index: 0 | 1 | 2) => medianOf(speeds.map((speed) => speed[index]));
  return { type, ours: median(0), wasm: median(1), js: median(2), equal, parts: parts.length };
}

interface RowFigures {
  readonly ours: number;
  readonly peer: number;
  readonly goal: number;
}

function row(id: string, { ours, peer, goal }: RowFigures): BenchRow {
  const ratio = ours / peer;
  const what = 'exact o200k of unseen text, against tiktoken (WASM)';
  return { id, what, ours, peer, unit: 'MB/s', ratio, goal: `≥ ${goal} ×`, met: ratio >= goal };
}

function meanRow(id: string, pairs: readonly (readonly [ours: number, peer: number])[]): BenchRow {
  const mean = (values: readonly number[]) =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  const figures = {
    ours: mean(pairs.map(([ours]) => ours)),
    peer: mean(pairs.map(([, peer]) => peer)),
  };
  return { ...row(id, { ...figures, goal: 1.5 }), what: `geometric mean of ${pairs.length} types` };
}

function equalRow(counts: readonly (readonly [equal: number, parts: number])[]): BenchRow {
  const ours = counts.reduce((sum, [equal]) => sum + equal, 0);
  const peer = counts.reduce((sum, [, parts]) => sum + parts, 0);
  const what = 'parts whose count equals that of tiktoken';
  return {
    id: 'G4 equal',
    what,
    ours,
    peer,
    unit: 'parts',
    ratio: ours / peer,
    goal: 'all',
    met: ours === peer,
  };
}
