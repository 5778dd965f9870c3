import type { BenchRow } from './bench-row.ts';

/** Milliseconds that a piece of work takes. */
export function millisecondsOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The middle one; of an even number the lower one. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Milliseconds that a piece of work takes that may wait. */
export async function millisecondsUntil(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Milliseconds that this thread works for a piece of work that may wait; what else the machine does adds nothing. The
 * processor's own clock ticks every 4 ms on some machines, so the work is done until ten of them have passed.
 */
export async function millisecondsWorked(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  for (let times = 1; ; times++) {
    await work();
    const { user, system } = process.threadCpuUsage(start);
    const worked = (user + system) / 1_000;
    if (worked >= 40) return worked / times;
  }
}

/** The slope of the line through the logarithms of sizes and times: how a time grows, as a power of the size. */
export function exponentOf(points: readonly { size: number; time: number }[]): number {
  const logs = points.map(({ size, time }) => ({ x: Math.log2(size), y: Math.log2(time) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}

/** How much time may grow for twice the text: the exponent of a power of its length. */
export const MOST_EXPONENT = 1.2;

interface Growth {
  readonly what: string;
  /** Milliseconds, of the smallest size first. */
  readonly times: readonly number[];
  readonly exponent: number;
  /** Of work that cannot be spared, of the same text. @default 0 */
  readonly floor?: number;
}

/** The row of a function whose time may grow about as its text does. */
export const growthRow = (id: string, { what, times, exponent, floor = 0 }: Growth): BenchRow => ({
  id,
  what,
  ours: times.at(-1) ?? Number.NaN,
  peer: times[0] ?? Number.NaN,
  unit: 'ms',
  ratio: exponent,
  goal: `≤ ${Math.max(MOST_EXPONENT, floor).toFixed(2)}`,
  met: exponent <= Math.max(MOST_EXPONENT, floor),
});
