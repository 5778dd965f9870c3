/** One measured ratio beside its goal (PERFORMANCE.md names the goals). */
export interface BenchRow {
  /** The goal's id and what it was measured on, e.g. `G4 code`. */
  readonly id: string;
  readonly what: string;
  readonly ours: number;
  /** The peer or the physical limit, measured in the same run. */
  readonly peer: number;
  readonly unit: string;
  /** `ours / peer`, or the other way round where more is better: `goal` says which. */
  readonly ratio: number;
  readonly goal: string;
  readonly met: boolean;
}

/** What a program of this folder is told. */
export interface BenchOptions {
  /** Whether to install and run peers whose packages are too large for the workspace. */
  readonly peers: boolean;
  /** Whether this program was asked for, and is not one of all. */
  readonly isNamed: boolean;
}

interface Measured {
  readonly what: string;
  readonly ours: number;
  readonly peer: number;
  readonly limit: number;
  readonly times?: string;
}

/** A row in ms; `limit` is the largest ratio that meets the goal, without an end for the record only. */
export function toRow(id: string, { what, ours, peer, limit, times = '' }: Measured): BenchRow {
  const ratio = ours / peer;
  const goal = Number.isFinite(limit) ? `≤ ${limit} × ${times}`.trim() : 'for the record';
  return { id, what, ours, peer, unit: 'ms', ratio, goal, met: ratio <= limit };
}
