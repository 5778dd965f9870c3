/**
 * A plain `pnpm test` runs a share of what `.ci/run` and `pnpm soak` run: fewer runs of each law, and of a long list of cases
 * some that the seed of the run draws. Every case runs where laws run `ALL_CASES_FROM` times or more, and where
 * `VARVE_ALL_CASES` is 1, however few runs a law has: so `pnpm mutants` asks every case before it says that none notices a mutant.
 */
const PLAIN_RUNS = 120;
const ALL_CASES_FROM = 2_500;

const { VARVE_LAW_RUNS = PLAIN_RUNS, VARVE_LAW_SEED = 20_261_128, VARVE_ALL_CASES } = process.env;

/** Of each law, before the share of slow ones; at least one. */
export const lawRuns = Math.max(1, Number(VARVE_LAW_RUNS));
export const seed = Number(VARVE_LAW_SEED);

/** Whether every case of every test runs. */
export const isWhole = lawRuns >= ALL_CASES_FROM || VARVE_ALL_CASES === '1';

/**
 * One of each `plain` cases that stand beside each other, and of each `sizeOfWhole` where everything runs: the share reaches from
 * the first cases to the last, and another seed draws another one.
 */
export function oneIn<Case>(plain: number, cases: readonly Case[], sizeOfWhole = 1): Case[] {
  const size = isWhole ? sizeOfWhole : plain;
  const groups = Math.ceil(cases.length / size);
  return Array.from({ length: groups }, (_, group) => {
    const held = cases.slice(group * size, (group + 1) * size);
    return held[drawn(group) % held.length] as Case;
  });
}

/** The numbers from 1 to `last`, or a share of them: the first, the last, and one of each `size` beside each other. */
export function someUpTo(last: number, size: number): number[] {
  const all = Array.from({ length: last }, (_, at) => at + 1);
  return [...new Set([1, ...oneIn(size, all), last])];
}

/** A whole number, the same for the same seed. */
function drawn(index: number): number {
  let state = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0xc2b2ae35);
  return (state ^ (state >>> 13)) >>> 0;
}
