import { randomFrom } from '../random.ts';

/** A figure of one session, and the cluster it belongs to. */
export interface Clustered {
  readonly project: number;
  readonly value: number;
  /** What the value is a part of, where the mean is one of shares: sum of values by sum of weights. @default 1 */
  readonly weight?: number | undefined;
}

/** A mean over sessions with its 95 % interval. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly clusters: number;
}

export interface ClusterIntervalOptions {
  /** The same seed gives the same interval. @default 1 */
  readonly seed?: number | undefined;
  /** @default 10,000 */
  readonly resamples?: number | undefined;
}

/**
 * A percentile bootstrap that draws whole projects, because sessions of one project are alike. Undefined without values.
 */
export function clusterInterval(
  values: readonly Clustered[],
  { seed = 1, resamples = 10_000 }: ClusterIntervalOptions = {},
): Interval | undefined {
  const clusters = clustersOf(values);
  if (clusters.length === 0) return undefined;
  const random = randomFrom(seed);
  const means = Array.from({ length: resamples }, () => drawnMean(clusters, random)).sort(
    (left, right) => left - right,
  );
  const at = (share: number): number => means[Math.round(share * (means.length - 1))] as number;
  const { sum, count } = total(clusters);
  return { mean: sum / count, low: at(0.025), high: at(0.975), clusters: clusters.length };
}

interface Cluster {
  readonly sum: number;
  readonly count: number;
}

function clustersOf(values: readonly Clustered[]): readonly Cluster[] {
  const clusters = new Map<number, Cluster>();
  for (const { project, value, weight = 1 } of values) {
    const { sum, count } = clusters.get(project) ?? { sum: 0, count: 0 };
    clusters.set(project, { sum: sum + value, count: count + weight });
  }
  return [...clusters.values()];
}

function drawnMean(clusters: readonly Cluster[], random: () => number): number {
  let [sum, count] = [0, 0];
  for (let draw = 0; draw < clusters.length; draw++) {
    const drawn = clusters[Math.floor(random() * clusters.length)] as Cluster;
    sum += drawn.sum;
    count += drawn.count;
  }
  return sum / count;
}

function total(clusters: readonly Cluster[]): Cluster {
  return clusters.reduce((left, right) => ({
    sum: left.sum + right.sum,
    count: left.count + right.count,
  }));
}
