/** Choices read off a list of numbers, one digit after the other, so that a smaller number is a simpler case. */
export interface Digits {
  /** A whole number from 0 and below `count`; 0 once the numbers are used up. */
  below(count: number): number;
  /** True once in `odds` times. */
  once(odds: number): boolean;
}

export function createDigits(numbers: readonly number[]): Digits {
  const rest = [...numbers];
  function below(count: number): number {
    if (count < 2) return 0;
    const number = rest.at(-1) ?? 0;
    if (number < count) rest.pop();
    else rest[rest.length - 1] = Math.floor(number / count);
    return number % count;
  }
  return { below, once: (odds) => below(odds) === odds - 1 };
}
