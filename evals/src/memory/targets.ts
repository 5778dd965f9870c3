import type { MemoryReport } from './memory-report.ts';

/** What a release has to reach, by the median of recorded runs. */
export interface Target {
  readonly name: string;
  readonly limit: number;
  readonly value: number;
  readonly isReached: boolean;
}

type Measured = Pick<MemoryReport, 'shipped' | 'shippedDreams' | 'use'>;

/** Those that can be judged by what was measured. */
export function targetsOf({ shipped, shippedDreams, use }: Measured): readonly Target[] {
  const targets: Target[] = [];
  const atMost = (name: string, limit: number, value: number | undefined) => {
    if (value !== undefined) targets.push({ name, limit, value, isReached: value <= limit });
  };
  atMost('pollution', 0.2, shipped?.pollution.median);
  atMost('missed', 0.15, shipped?.missed.median);
  atMost('secrets', 0, shipped?.secrets);
  atMost('injected', 0, shipped?.injected);
  const written = shippedDreams.find(({ memory }) => memory === 'written');
  atMost('stale after a dream', 0.05, written?.staleAfter.median);
  const polluted = shippedDreams.find(({ memory }) => memory === 'polluted');
  atMost('true lost in a dream', 0.01, polluted?.lostTrue.median);
  if (polluted !== undefined) {
    const value = polluted.net.median;
    targets.push({ name: 'net of a dream', limit: 0.8, value, isReached: value >= 0.8 });
  }
  atMost('bytes changed by a second dream', 0, polluted?.again);
  atMost('undos that give other bytes', 0, polluted?.notUndone);
  if (use !== undefined && use.answeredWrong > 0)
    atMost('wrong values acted on', 0.01, use.actedOn / use.answeredWrong);
  return targets;
}
