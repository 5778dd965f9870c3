/** One observation: what is known of it, what came of it, and how much it counts. */
export interface Observation {
  readonly features: readonly number[];
  readonly isNeeded: boolean;
  /** @default 1 */
  readonly weight?: number | undefined;
}

export interface LogisticModel {
  readonly intercept: number;
  readonly weights: readonly number[];
}

/** Against weights that only chance asks for: of a feature's standard deviation. */
const PENALTY = 3;
const STEPS = 25;
const SMALLEST_STEP = 1e-7;

/**
 * Fits a logistic model by Newton's method with a penalty on squared weights, each in units of its feature's standard
 * deviation. A feature that never varies gets no weight.
 */
export function fitLogistic(observations: readonly Observation[]): LogisticModel {
  const count = observations[0]?.features.length ?? 0;
  const scales = Array.from({ length: count }, (_, at) => scaleOf(observations, at));
  const rows = observations.map(({ features }) =>
    Float64Array.from([
      1,
      ...features.map((value, at) => standardised(value, scales[at] as Scale)),
    ]),
  );
  let found = new Float64Array(count + 1);
  for (let step = 0; step < STEPS; step++) {
    const change = newtonStep(rows, observations, found);
    found = found.map((value, at) => value + (change[at] as number));
    if (Math.max(...change.map(Math.abs)) < SMALLEST_STEP) break;
  }
  const weights = scales.map(({ deviation }, at) =>
    deviation === 0 ? 0 : (found[at + 1] as number) / deviation,
  );
  const shift = scales.reduce((sum, { mean }, at) => sum + mean * (weights[at] as number), 0);
  return { intercept: (found[0] as number) - shift, weights };
}

/** The chance that a model gives. */
export function chanceOf(
  { intercept, weights }: LogisticModel,
  features: readonly number[],
): number {
  const sum = weights.reduce(
    (total, weight, at) => total + weight * (features[at] ?? 0),
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

interface Scale {
  readonly mean: number;
  readonly deviation: number;
}

const standardised = (value: number, { mean, deviation }: Scale): number =>
  deviation === 0 ? 0 : (value - mean) / deviation;

function scaleOf(observations: readonly Observation[], at: number): Scale {
  const values = observations.map(({ features }) => features[at] as number);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(square) };
}

function newtonStep(
  rows: readonly Float64Array[],
  observations: readonly Observation[],
  at: Float64Array,
): Float64Array {
  const size = at.length;
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  for (const [index, row] of rows.entries()) {
    const { isNeeded, weight = 1 } = observations[index] as Observation;
    let sum = 0;
    for (let each = 0; each < size; each++) sum += (row[each] as number) * (at[each] as number);
    const chance = 1 / (1 + Math.exp(-sum));
    const error = weight * (Number(isNeeded) - chance);
    const spread = weight * chance * (1 - chance);
    for (let one = 0; one < size; one++) {
      const value = row[one] as number;
      if (value === 0) continue;
      gradient[one] = (gradient[one] as number) + error * value;
      const line = curvature[one] as Float64Array;
      for (let other = 0; other <= one; other++)
        line[other] = (line[other] as number) + spread * value * (row[other] as number);
    }
  }
  for (let one = 0; one < size; one++) {
    const line = curvature[one] as Float64Array;
    if (one > 0) {
      gradient[one] = (gradient[one] as number) - PENALTY * (at[one] as number);
      line[one] = (line[one] as number) + PENALTY;
    }
    for (let other = 0; other < one; other++)
      (curvature[other] as Float64Array)[one] = line[other] as number;
  }
  return solve(curvature, gradient);
}

/** Gauss with the largest pivot; both are used up. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(matrix[row]?.[column] ?? 0) > Math.abs(matrix[pivot]?.[column] ?? 0))
        pivot = row;
    [matrix[column], matrix[pivot]] = [
      matrix[pivot] as Float64Array,
      matrix[column] as Float64Array,
    ];
    [right[column], right[pivot]] = [right[pivot] as number, right[column] as number];
    const line = matrix[column] as Float64Array;
    const lead = line[column] as number;
    if (lead === 0) continue;
    for (let row = column + 1; row < size; row++) {
      const other = matrix[row] as Float64Array;
      const factor = (other[column] as number) / lead;
      for (let each = column; each < size; each++)
        other[each] = (other[each] as number) - factor * (line[each] as number);
      right[row] = (right[row] as number) - factor * (right[column] as number);
    }
  }
  const found = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    const line = matrix[row] as Float64Array;
    let rest = right[row] as number;
    for (let each = row + 1; each < size; each++)
      rest -= (line[each] as number) * (found[each] as number);
    found[row] = line[row] === 0 ? 0 : rest / (line[row] as number);
  }
  return found;
}
